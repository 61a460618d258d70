import EMV
import FirmwareCores
import Money
import ReaderWire
import Synchronization
import Testing
import Transport

@testable import InProcessMock
@testable import Readers

/// A mock NEO2 reader on a virtual clock, and what the host sent to it.
final class NEO2Bed: Sendable {
    let clock = VirtualClock()
    let device: InProcessDevice
    let form: NEO2LinkForm
    private let sent = Mutex<[NEO2Frame]>([])
    private let told = Mutex<[CardholderPrompt]>([])
    private let tampering = Mutex<InProcessDevice.Observer?>(nil)

    init(_ form: NEO2LinkForm = .hid, _ options: [String: String] = [:]) throws {
        self.form = form
        switch form {
        case .hid: device = InProcessDevice(core: try NEO2HIDCore.make(options: options), clock: clock)
        case .stream: device = InProcessDevice(serial: try NEO2SerialCore.make(options: options), clock: clock)
        }
        device.onTransfer { [weak self] note in self?.observe(note) ?? .pass }
    }

    /// The first reports of HID commands, and the pieces of a stream, are whole headers.
    private func observe(_ note: TransferNote) -> TransferVerdict {
        if note.kind == .out, note.moment == .submitted, let frame = command(in: note) {
            sent.withLock { $0.append(frame) }
        }
        return tampering.withLock { $0 }?(note) ?? .pass
    }

    /// The command of an OUT transfer; its data only when they are all in it.
    func command(in note: TransferNote) -> NEO2Frame? {
        let bytes = form == .hid ? Array(note.bytes.dropFirst()) : note.bytes
        guard bytes.starts(with: NEO2FrameFormat.header), bytes.count >= 16 else { return nil }
        let length = 16 + Int(bytes[12]) << 8 + Int(bytes[13])
        return NEO2Frame(parsing: Array(bytes.prefix(length)))
            ?? NEO2Frame(command: bytes[10], second: bytes[11], checkOrder: .lowFirst)
    }

    /// Watches and tampers with transfers beside the record of them.
    func tamper(_ observer: InProcessDevice.Observer?) { tampering.withLock { $0 = observer } }

    /// Commands so far, as "0240".
    var commands: [String] { sent.withLock { $0 }.map { hex([$0.command, $0.second]) } }

    var frames: [NEO2Frame] { sent.withLock { $0 } }
    var prompts: [CardholderPrompt] { told.withLock { $0 } }
    var hasTransfersInFlight: Bool { device.withState { $0.device.hasPendingTransfers } }

    func forget() {
        sent.withLock { $0 = [] }
        told.withLock { $0 = [] }
    }

    func transport() -> any Transport {
        form == .hid ? device.open() : device.openStream()
    }

    func open(interfaces: Set<CardInterface> = NEO2Reader.everyInterface) async throws(ReaderError) -> NEO2Reader {
        try await NEO2Reader.open(
            transport(), form: form, model: "Mock", interfaces: interfaces, clock: clock, until: after(10))
    }

    func start(
        _ reader: NEO2Reader, _ interfaces: Set<CardInterface> = [], seconds: Int = 60, fallback: Bool = false,
        kind: ReaderPayment.Kind = .purchase
    ) async throws(ReaderError) -> ReaderStop {
        try await reader.start(
            Self.payment(interfaces, fallback: fallback, kind: kind),
            prompt: { prompt in self.told.withLock { $0.append(prompt) } }, cardWait: after(seconds))
    }

    static func payment(
        _ interfaces: Set<CardInterface>, fallback: Bool = false, kind: ReaderPayment.Kind = .purchase
    ) -> ReaderPayment {
        ReaderPayment(
            kind: kind, amount: Amount(minorUnits: 12_345, currency: .mxn) ?? .zero(.mxn),
            time: TransactionTime(year: 2026, month: 11, day: 30, hour: 12, minute: 0, second: 0),
            interfaces: interfaces, isFallbackAllowed: fallback)
    }

    func steer(_ command: String) {
        #expect(device.steer(command) == nil)
    }

    func after(_ seconds: Int) -> Deadline { .after(.seconds(seconds), on: clock) }

    /// Looks at the firmware.
    func withFirmware<Result: Sendable>(_ body: (NEO2Firmware) -> Result) -> Result? {
        device.withCore { core in
            if let hid = core as? NEO2HIDCore { return body(hid.firmware) }
            return ((core as? SerialUSBCore)?.firmware as? NEO2SerialCore).map { body($0.firmware) }
        }
    }

    /// What the card saw last.
    var cardLog: CardTransaction? { withFirmware { $0.terminal.lastCard?.log.last } ?? nil }
}

/// Words for a step, with nothing of the card.
func name(_ stop: ReaderStop) -> String {
    switch stop {
    case .applicationChoice: "choice"
    case .online(let reading): "online \(reading.entry.rawValue)"
    case .approved(let reading): "approved \(reading.entry.rawValue)"
    case .declined(let reading): "declined \(reading.entry.rawValue)"
    case .ended(let reason): "ended \(reason.rawValue)"
    }
}

extension ReaderStop {
    var reading: CardReading? {
        switch self {
        case .online(let reading), .approved(let reading), .declined(let reading): reading
        case .applicationChoice, .ended: nil
        }
    }
}

/// An answer of the host without data for the card.
let hostApproval = HostAnswer.answered(responseCode: Array("00".utf8), isApproved: true, issuerData: [])
let hostDecline = HostAnswer.answered(responseCode: Array("05".utf8), isApproved: false, issuerData: [])

/// Two capital digits for each byte.
func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }.joined()
}
