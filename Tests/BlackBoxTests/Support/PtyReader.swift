import FirmwareCores
import InProcessMock
import Serial
import Synchronization
import Transport

/// A mock reader at the controlling end of a pseudo terminal. Its node is what a program opens.
struct PtyReader {
    let node: String
    private let context: SerialContext
    private let cable: PtyCable
    private let host: SerialFirmwareHost

    /// - Parameters:
    ///   - family: neo2, qpos, mpi, or none for a device that only listens.
    ///   - baud: the only speed that it understands.
    ///   - entry: how the card comes: inserted, tapped or swiped.
    init(
        _ family: String, baud: UInt32 = 115_200, card: String = "visa-credit", entry: String = "inserted"
    ) throws {
        context = SerialContext()
        let terminal = try context.makeTerminal()
        node = terminal.node
        cable = PtyCable(terminal, baud: baud, isDead: family == "none")
        let options = ["card": card, "entry": entry]
        host =
            switch family {
            case "neo2": SerialFirmwareHost(try NEO2SerialCore.make(options: options), over: cable)
            case "mpi": SerialFirmwareHost(try MPIFirmware.make(options: options), over: cable)
            default: SerialFirmwareHost(try QPOSFirmware.make(options: options), over: cable)
            }
    }

    /// Bytes that were written to the node, at whatever speed.
    var written: Int { cable.written }

    /// A steering command of its firmware; answers nil on success, else what was wrong.
    func steer(_ command: String) -> String? { host.steer(command) }

    /// The plug is pulled: the line hangs up, and the node goes.
    func unplug() async { await host.close() }

    func close() async {
        await host.close()
        await context.shutdown()
    }
}

/// A pseudo terminal that passes on only what comes at one speed: bytes at another are noise on a real line.
private final class PtyCable: Transport {
    private let terminal: PseudoTerminal
    private let baud: UInt32
    private let isDead: Bool
    private let count = Mutex(0)

    init(_ terminal: PseudoTerminal, baud: UInt32, isDead: Bool) {
        self.terminal = terminal
        self.baud = baud
        self.isDead = isDead
    }

    var written: Int { count.withLock { $0 } }
    var traits: TransportTraits { terminal.traits }

    func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        try await terminal.send(bytes, until: deadline)
    }

    func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        while true {
            let bytes = try await terminal.receive(atMost: count, until: deadline)
            self.count.withLock { $0 += bytes.count }
            // With time of its own: bytes that came at the last moment must not be lost.
            let soon = Deadline.after(.seconds(1), on: SystemMonotonicClock.shared)
            let speed = try await terminal.settings(until: soon).baud.bitsPerSecond
            if !isDead, speed == baud { return bytes }
        }
    }

    func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await terminal.receiveEvent(until: deadline)
    }

    func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await terminal.control(request, until: deadline)
    }

    func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {}

    func close() async { await terminal.close() }
}
