import Synchronization
public import Transport

/// A byte stream that is used as a serial line, though none is behind it: a simulated reader. Every setting is kept and
/// changes nothing; DSR, CTS and DCD are up, as those of a reader that is switched on.
public final class StreamLine: SerialLine {
    private struct State: Sendable {
        var settings: SerialSettings
        var outputs: ModemOutputs = [.dtr, .rts]
    }

    public var traits: TransportTraits { stream.traits }
    private let stream: any Transport
    private let state: Mutex<State>

    public init(_ stream: any Transport, _ settings: SerialSettings) {
        self.stream = stream
        state = Mutex(State(settings: settings))
    }

    public func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        try await stream.send(bytes, until: deadline)
    }

    public func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await stream.receive(atMost: count, until: deadline)
    }

    public func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await stream.receiveEvent(until: deadline)
    }

    public func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await stream.control(request, until: deadline)
    }

    public func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {
        try await stream.clearStall(direction, until: deadline)
    }

    public func close() async { await stream.close() }

    public func configure(
        _ settings: SerialSettings, until deadline: Deadline
    ) async throws(TransportError) -> SerialSettings {
        state.withLock { $0.settings = settings }
        return settings
    }

    public func settings(until deadline: Deadline) async throws(TransportError) -> SerialSettings {
        state.withLock { $0.settings }
    }

    public func modemLines(until deadline: Deadline) async throws(TransportError) -> ModemLines {
        ModemLines(outputs: state.withLock { $0.outputs }, inputs: [.dsr, .cts, .dcd])
    }

    public func set(
        raised: ModemOutputs, lowered: ModemOutputs, until deadline: Deadline
    ) async throws(TransportError) {
        state.withLock { $0.outputs = $0.outputs.subtracting(lowered).union(raised) }
    }

    public func setBreak(_ isOn: Bool, until deadline: Deadline) async throws(TransportError) {}

    public func drain(until deadline: Deadline) async throws(TransportError) {}

    /// The stream has no buffers that could be emptied.
    public func purge(_ buffers: SerialBuffers, until deadline: Deadline) async throws(TransportError) {}
}
