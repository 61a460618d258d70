import Synchronization
import Testing
import Transport

@testable import Bridge

/// A chip that divides a clock makes 115385 of 115200.
@Suite("A line whose speed is rounded")
struct RoundedSpeedTests {
    private let clock = SystemMonotonicClock.shared

    private func control(_ asked: SerialSettings, _ line: RoundingLine) async -> (
        LineControl, asked: SerialSettings, kept: SerialSettings
    ) {
        let control = LineControl(asked, clock: clock)
        let (asked, kept) = await control.begin(line)
        return (control, asked, kept)
    }

    @Test("what serves as the speed that was asked for is told as that one, and nothing is set twice")
    func near() async throws {
        let asked = SerialSettings(baud: .b115200)
        let line = RoundingLine(try #require(BaudRate(115_385)))
        let (control, _, kept) = await control(asked, line)
        #expect(kept == asked)
        #expect(line.asked.isEmpty)
        await control.change { $0.parity = .even }
        #expect(await control.settings == SerialSettings(baud: .b115200, parity: .even))
        #expect(line.asked.map(\.baud) == [.b115200])
    }

    @Test("another speed is told as it is")
    func far() async throws {
        let line = RoundingLine(.b9600)
        let (control, asked, kept) = await control(SerialSettings(baud: .b115200), line)
        #expect(kept.baud == .b9600 && asked.baud == .b115200)
        await control.change { $0.baud = .b57600 }
        #expect(await control.settings.baud == .b9600)
    }
}

/// A loop-back plug at a line that makes one speed of all.
private final class RoundingLine: SerialLine {
    private let plug: LoopbackLine
    private let rate: BaudRate
    private let settings: Mutex<[SerialSettings]> = Mutex([])

    init(_ rate: BaudRate) {
        self.rate = rate
        plug = LoopbackLine(SerialSettings(baud: rate), clock: SystemMonotonicClock.shared)
    }

    /// What it was asked for, one after the other.
    var asked: [SerialSettings] { settings.withLock { $0 } }
    var traits: TransportTraits { plug.traits }

    func configure(_ settings: SerialSettings, until deadline: Deadline) async throws(TransportError) -> SerialSettings
    {
        self.settings.withLock { $0.append(settings) }
        var rounded = settings
        rounded.baud = rate
        return try await plug.configure(rounded, until: deadline)
    }

    func settings(until deadline: Deadline) async throws(TransportError) -> SerialSettings {
        try await plug.settings(until: deadline)
    }

    func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        try await plug.send(bytes, until: deadline)
    }

    func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await plug.receive(atMost: count, until: deadline)
    }

    func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await plug.receiveEvent(until: deadline)
    }

    func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await plug.control(request, until: deadline)
    }

    func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {}

    func modemLines(until deadline: Deadline) async throws(TransportError) -> ModemLines {
        try await plug.modemLines(until: deadline)
    }

    func set(raised: ModemOutputs, lowered: ModemOutputs, until deadline: Deadline) async throws(TransportError) {
        try await plug.set(raised: raised, lowered: lowered, until: deadline)
    }

    func setBreak(_ isOn: Bool, until deadline: Deadline) async throws(TransportError) {}

    func drain(until deadline: Deadline) async throws(TransportError) {}

    func purge(_ buffers: SerialBuffers, until deadline: Deadline) async throws(TransportError) {}

    func close() async { await plug.close() }
}
