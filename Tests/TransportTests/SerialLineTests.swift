import Synchronization
import Testing
import Transport

/// A line that notes what is done with it.
private final class NotedLine: SerialLine {
    let traits = TransportTraits(packetSize: 1, hasEvents: false, hasControl: false)
    private let notes = Mutex<[String]>([])
    let lines: ModemLines

    init(lines: ModemLines = ModemLines()) {
        self.lines = lines
    }

    var noted: [String] { notes.withLock { $0 } }
    private func note(_ text: String) { notes.withLock { $0.append(text) } }

    func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {}
    func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] { [] }
    func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] { [] }
    func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] { [] }
    func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {}
    func close() async {}
    func configure(_ settings: SerialSettings, until deadline: Deadline) async throws(TransportError) -> SerialSettings
    {
        settings
    }
    func settings(until deadline: Deadline) async throws(TransportError) -> SerialSettings {
        SerialSettings(baud: .b9600)
    }
    func modemLines(until deadline: Deadline) async throws(TransportError) -> ModemLines { lines }
    func set(raised: ModemOutputs, lowered: ModemOutputs, until deadline: Deadline) async throws(TransportError) {
        note("raise \(raised.rawValue) lower \(lowered.rawValue)")
    }
    func setBreak(_ isOn: Bool, until deadline: Deadline) async throws(TransportError) {
        if Task.isCancelled { throw TransportError(.cancelled, during: "break") }
        note(isOn ? "break" : "end of break")
    }
    func drain(until deadline: Deadline) async throws(TransportError) {}
    func purge(_ buffers: SerialBuffers, until deadline: Deadline) async throws(TransportError) {}
}

@Suite("What every serial line can do")
struct SerialLineTests {
    @Test("a break lasts as long as it was asked to")
    func timedBreak() async throws {
        let (line, clock) = (NotedLine(), VirtualClock())
        let start = clock.now()
        try await line.sendBreak(for: .milliseconds(250), on: clock, until: .after(.seconds(1), on: clock))
        #expect(line.noted == ["break", "end of break"])
        #expect(start.duration(to: clock.now()) == .milliseconds(250))
    }

    @Test("a break ends at the deadline")
    func breakUntilDeadline() async throws {
        let (line, clock) = (NotedLine(), VirtualClock())
        let start = clock.now()
        try await line.sendBreak(for: .seconds(9), on: clock, until: .after(.seconds(1), on: clock))
        #expect(line.noted == ["break", "end of break"])
        #expect(start.duration(to: clock.now()) == .seconds(1))
    }

    @Test("a cancelled break is ended all the same")
    func cancelledBreak() async {
        let line = NotedLine()
        let clock = SystemMonotonicClock.shared
        let breaking = Task { () async -> TransportError.Code? in
            do throws(TransportError) {
                try await line.sendBreak(for: .seconds(60), on: clock, until: .after(.seconds(90), on: clock))
                return nil
            } catch {
                return error.code
            }
        }
        while line.noted.isEmpty { await Task.yield() }
        breaking.cancel()
        #expect(await breaking.value == .cancelled)
        #expect(line.noted == ["break", "end of break"])
    }

    @Test("to toggle is to turn each line over and to leave the others")
    func toggle() async throws {
        let deadline = Deadline(MonotonicInstant(nanoseconds: .max))
        let line = NotedLine(lines: ModemLines(outputs: .dtr))
        try await line.toggle([.dtr, .rts], until: deadline)
        try await line.toggle(.dtr, until: deadline)
        try await line.toggle(.rts, until: deadline)
        #expect(line.noted == ["raise 2 lower 1", "raise 0 lower 1", "raise 2 lower 0"])
    }
}
