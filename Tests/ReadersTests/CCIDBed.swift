import EMV
import FirmwareCores
import ReaderWire
import Synchronization
import Testing
import Transport

@testable import InProcessMock
@testable import Readers

/// A mock CCID reader on a virtual clock, and what the host sent to it.
final class CCIDBed: Sendable {
    let clock: VirtualClock
    let device: InProcessDevice
    private let sent = Mutex<[[UInt8]]>([])

    init(_ options: [String: String] = [:], clock: VirtualClock = VirtualClock()) throws {
        self.clock = clock
        device = InProcessDevice(core: try CCIDReaderCore.make(options: options), clock: clock)
        device.onTransfer { [weak self] note in
            if note.kind == .out, note.moment == .submitted { self?.sent.withLock { $0.append(note.bytes) } }
            return .pass
        }
    }

    /// Bulk OUT transfers so far.
    var frames: [[UInt8]] { sent.withLock { $0 } }

    /// bMessageType of each of them.
    var frameTypes: [UInt8] { frames.compactMap(\.first) }

    var hasTransfersInFlight: Bool { device.withState { $0.device.hasPendingTransfers } }

    var descriptor: CCIDClassDescriptor {
        get throws { try #require(CCIDClassDescriptor.find(in: Array(device.descriptors.configuration.dropFirst(18)))) }
    }

    func open() async throws -> CCIDReader {
        try await CCIDReader.open(
            device.open(), descriptor: descriptor, interfaceNumber: 0, model: "Mock", clock: clock,
            until: after(10))
    }

    func steer(_ command: String) {
        #expect(device.steer(command) == nil)
    }

    func after(_ seconds: Int) -> Deadline {
        .after(.seconds(seconds), on: clock)
    }

    /// Virtual time that an operation takes.
    func duration(of operation: () async throws -> Void) async rethrows -> Duration {
        let start = clock.now()
        try await operation()
        return start.duration(to: clock.now())
    }

    /// The code of the error that an operation must end with.
    func code(of operation: () async throws -> Void) async -> ReaderError.Code? {
        do {
            try await operation()
            return nil
        } catch {
            return (error as? ReaderError)?.code
        }
    }
}

/// SELECT of the payment system environment (EMV Book 1, 12.3.2).
let selectPSE = CommandAPDU(
    cla: 0x00, ins: 0xA4, p1: 0x04, p2: 0x00, data: Array("1PAY.SYS.DDF01".utf8), expectedLength: 256)

/// What the card itself answers, with no reader in between.
func directAnswer(of card: String, to command: CommandAPDU) throws -> (reset: [UInt8], answer: [UInt8]) {
    let core = EMVCardCore(profile: try #require(CardProfile.named(card)))
    let reset = try #require(core.powerOn())
    return (reset, core.transmit(command.bytes))
}

let everyLevel = ["short", "extended", "tpdu"]
/// T=1, T=0, T=0 with other data, T=1 with blocks of 32 bytes.
let everyCardLink = ["visa-credit", "mastercard-debit", "visa-t0", "mastercard-t1"]
