import EMV
import FirmwareCores
import InProcessMock
import Money
import ReaderWire
import Readers
import Serial
import Transport
import USBDescriptors

/// A reader of one family, open behind its real driver, with a card: mock firmware in this process, on a bus of its own or at
/// the other end of a pseudo terminal.
struct BenchReader: Sendable {
    let family: ReaderFamily
    private let opened: OpenedReader
    private let steer: @Sendable (String) -> String?
    private let closeMock: @Sendable () async -> Void

    struct NotApproved: Error {
        let family: ReaderFamily
    }

    private static let clock = SystemMonotonicClock.shared
    static let approval = HostAnswer.answered(responseCode: Array("00".utf8), isApproved: true, issuerData: [])

    private static func soon() -> Deadline { .after(.seconds(120), on: clock) }

    /// In memory: transfers are handed over without a kernel in between.
    static func inMemory(_ family: ReaderFamily) async throws -> BenchReader {
        let options = ["card": family == .neo2 ? "none" : "visa-credit"]
        let device: InProcessDevice
        let opened: OpenedReader
        switch family {
        case .ccid:
            device = InProcessDevice(core: try CCIDReaderCore.make(options: options), clock: clock)
            guard let configuration = try? ConfigurationDescriptor(parsing: device.descriptors.configuration),
                let interface = configuration.interfaces.first,
                let descriptor = interface.classDescriptor(type: CCIDClassDescriptor.descriptorType)
                    .flatMap(CCIDClassDescriptor.init(parsing:))
            else { throw NotApproved(family: family) }
            opened = .channel(
                try await CCIDReader.open(
                    device.open(), descriptor: descriptor, interfaceNumber: interface.number, model: "Bench",
                    clock: clock, until: soon()))
        case .neo2:
            device = InProcessDevice(core: try NEO2HIDCore.make(options: options), clock: clock)
            opened = .kernel(
                try await NEO2Reader.open(device.open(), form: .hid, model: "Bench", clock: clock, until: soon()))
        case .qpos:
            device = InProcessDevice(serial: try QPOSFirmware.make(options: options), clock: clock)
            opened = .kernel(
                try await QPOSReader.open(device.openStream(), model: "Bench", clock: clock, until: soon()))
        case .mpi:
            device = InProcessDevice(serial: try MPIFirmware.make(options: options), clock: clock)
            opened = .kernel(
                try await MPIReader.open(device.openStream(), model: "Bench", clock: clock, until: soon()))
        }
        return BenchReader(family: family, opened: opened, steer: { device.steer($0) }, closeMock: {})
    }

    /// Over the kernel's tty layer and the one thread that serves all ports.
    /// - Parameters:
    ///   - ports: of the drivers. All readers share it, as in a program.
    ///   - terminals: of the mocks.
    static func onLine(
        _ family: ReaderFamily, ports: SerialContext, terminals: SerialContext
    ) async throws -> BenchReader {
        let terminal = try terminals.makeTerminal()
        let options = ["card": family == .neo2 ? "none" : "visa-credit"]
        let host: SerialFirmwareHost
        switch family {
        case .neo2: host = SerialFirmwareHost(try NEO2SerialCore.make(options: options), over: terminal)
        case .qpos: host = SerialFirmwareHost(try QPOSFirmware.make(options: options), over: terminal)
        case .mpi: host = SerialFirmwareHost(try MPIFirmware.make(options: options), over: terminal)
        case .ccid: throw NotApproved(family: family)
        }
        let port = try await ports.open(terminal.node, SerialSettings(baud: .b115200), until: soon())
        let reader: any KernelReader
        switch family {
        case .neo2:
            reader = try await NEO2Reader.open(port, form: .stream, model: "Bench", clock: clock, until: soon())
        case .qpos: reader = try await QPOSReader.open(port, model: "Bench", clock: clock, until: soon())
        default: reader = try await MPIReader.open(port, model: "Bench", clock: clock, until: soon())
        }
        return BenchReader(
            family: family, opened: .kernel(reader), steer: { host.steer($0) }, closeMock: { await host.close() })
    }

    /// One approved sale, from the card to its last cryptogram, with an issuer that says yes at once.
    func sale() async throws {
        switch opened {
        case .channel(let reader): try await chipSale(reader)
        case .kernel(let reader): try await kernelSale(reader)
        }
    }

    func close() async {
        await opened.reader.close()
        await closeMock()
    }

    private static let amount = Amount(minorUnits: 115_00, currency: .mxn) ?? .zero(.mxn)
    private static let time = TransactionTime(year: 2026, month: 11, day: 30, hour: 12, minute: 0, second: 0)

    private func kernelSale(_ reader: any KernelReader) async throws {
        var interfaces: Set<CardInterface> = [.contact]
        // A card in the slot of such a reader is not looked for before contactless has had its turn.
        if family == .neo2 {
            _ = steer("tap visa-credit")
            interfaces = [.contactless]
        }
        let payment = ReaderPayment(amount: Self.amount, time: Self.time, interfaces: interfaces)
        let patience = CardPatience(cardWait: Self.soon(), dialogue: .seconds(30))
        guard case .online = try await reader.start(payment, prompt: { _ in }, patience: patience),
            case .approved = try await reader.complete(Self.approval, until: Self.soon())
        else { throw NotApproved(family: family) }
    }

    private func chipSale(_ reader: any ChipReader) async throws {
        var kernel = ContactKernel(
            terminal: .mexicanKiosk,
            transaction: TransactionData(
                amount: Self.amount, time: Self.time, unpredictableNumber: [0x11, 0x22, 0x33, 0x44],
                sequenceCounter: 42))
        try await reader.waitForCard(until: Self.soon())
        _ = try await reader.powerOnCard(until: Self.soon())
        var step = kernel.start()
        while true {
            switch step {
            case .transmit(let command):
                step = kernel.receive(try await reader.transmit(command, until: Self.soon()))
            case .goOnline: step = kernel.hostAnswered(Self.approval)
            case .finished(.approved):
                kernel.wipe()
                return await reader.powerOffCard()
            case .finished, .chooseApplication, .askForPIN, .approveOffline: throw NotApproved(family: family)
            }
        }
    }
}
