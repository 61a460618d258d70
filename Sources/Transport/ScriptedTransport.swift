import Synchronization

/// A transport that follows a script: it expects given bytes and gives given answers. Tests write requests and replies
/// as bytes; the first unexpected byte ends the dialogue with a two-line diff in `mismatch`.
///
/// Time does not pass in a script: a wait with nothing to give times out at once, after moving the clock (if it is a
/// `VirtualClock`) to the deadline.
public final class ScriptedTransport: Transport {
    public enum Step: Sendable {
        /// The next `send` must carry exactly these bytes.
        case expect([UInt8])
        /// The next `send` must carry these bytes; it then throws.
        case expectThenFail([UInt8], TransportError)
        /// The next `receive` gives these bytes (one transfer). Longer than asked for: `.overflow`.
        case give([UInt8])
        /// The next `receive` throws.
        case fail(TransportError)
        /// The next `receive` times out with these bytes as its partial result.
        case timeOut(partial: [UInt8])
        /// The next `receiveEvent` gives these bytes. Events wait in their own queue, whatever `send` and `receive` do.
        case event([UInt8])
        /// The next `control` must be this request; it answers these bytes.
        case control(ControlRequest, reply: [UInt8])
        /// The next `control` must be this request; it throws.
        case controlThenFail(ControlRequest, TransportError)
        /// The next `clearStall` must be for this direction.
        case clearStall(TransportDirection)
        /// The device leaves: this and every later call throws `.gone`.
        case leave
    }

    private struct State {
        var steps: [Step]
        var events: [[UInt8]]
        var mismatch: String?
        var isGone = false
        var isClosed = false
    }

    public let traits: TransportTraits
    private let clock: VirtualClock?
    private let state: Mutex<State>

    public init(
        _ steps: [Step], clock: VirtualClock? = nil,
        traits: TransportTraits = TransportTraits(packetSize: 64, hasEvents: true, hasControl: true)
    ) {
        self.traits = traits
        self.clock = clock
        let events = steps.compactMap { if case .event(let bytes) = $0 { bytes } else { nil } }
        let dialogue = steps.filter { if case .event = $0 { false } else { true } }
        state = Mutex(State(steps: dialogue, events: events))
    }

    /// What the first departure from the script was: nil so far, or two lines, expected over actual.
    public var mismatch: String? { state.withLock { $0.mismatch } }

    /// Steps that have not happened yet. A test that ends with some left has not finished its dialogue.
    public var remainingSteps: Int { state.withLock { $0.steps.count + $0.events.count } }

    public var isClosed: Bool { state.withLock { $0.isClosed } }

    public func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        try take("send", actual: { hexText(bytes) }) { step in
            switch step {
            case .expect(let expected) where expected == bytes: .success([])
            case .expectThenFail(let expected, let error) where expected == bytes: .failure(error)
            default: nil
            }
        }
    }

    public func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        do throws(TransportError) {
            return try take("receive", actual: { "receive(atMost: \(count))" }) { step in
                switch step {
                case .give(let bytes) where bytes.count <= count: .success(bytes)
                case .give: .failure(TransportError(.overflow, during: "receive"))
                case .fail(let error): .failure(error)
                case .timeOut(let partial): .failure(TransportError(.timedOut, during: "receive", partial: partial))
                // The other side says nothing until it is spoken to.
                case .expect, .expectThenFail, .control, .controlThenFail, nil:
                    .failure(TransportError(.timedOut, during: "receive (the script is silent here)"))
                default: nil
                }
            }
        } catch {
            if error.code == .timedOut { clock?.move(to: deadline.instant) }
            throw error
        }
    }

    public func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        guard traits.hasEvents else { throw TransportError(.unsupported, during: "receive event") }
        let event: [UInt8]? = try state.withLock { state throws(TransportError) in
            try Self.checkOpen(state, "receive event")
            return state.events.isEmpty ? nil : state.events.removeFirst()
        }
        if let event { return event }
        clock?.move(to: deadline.instant)
        throw TransportError(.timedOut, during: "receive event")
    }

    public func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        guard traits.hasControl else { throw TransportError(.unsupported, during: "control") }
        return try take("control", actual: { Self.text(request) }) { step in
            switch step {
            case .control(let expected, let reply) where expected == request: .success(reply)
            case .controlThenFail(let expected, let error) where expected == request: .failure(error)
            default: nil
            }
        }
    }

    public func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {
        try take("clear stall", actual: { "clearStall(\(direction))" }) { step in
            if case .clearStall(let expected) = step, expected == direction { .success([]) } else { nil }
        }
    }

    public func close() async {
        state.withLock { $0.isClosed = true }
    }

    /// Takes the next step if `match` accepts it. A time-out for want of a step leaves the script where it is.
    @discardableResult
    private func take(
        _ operation: String, actual: () -> String, match: (Step?) -> Result<[UInt8], TransportError>?
    ) throws(TransportError) -> [UInt8] {
        try state.withLock { state throws(TransportError) in
            try Self.checkOpen(state, operation)
            let step = state.steps.first
            if case .leave = step {
                state.steps.removeFirst()
                state.isGone = true
                throw TransportError(.gone, during: operation)
            }
            guard let outcome = match(step) else {
                let text = "expected: \(step.map(Self.text) ?? "the end of the script")\nactual:   \(actual())"
                state.mismatch = state.mismatch ?? text
                throw TransportError(.failed, during: operation, underlying: "script mismatch\n\(text)")
            }
            if Self.isConsumed(step, by: operation) { state.steps.removeFirst() }
            return try outcome.get()
        }
    }

    private static func checkOpen(_ state: State, _ operation: String) throws(TransportError) {
        if state.isClosed { throw TransportError(.closed, during: operation) }
        if state.isGone { throw TransportError(.gone, during: operation) }
        if state.mismatch != nil { throw TransportError(.failed, during: operation, underlying: "script mismatch") }
    }

    private static func isConsumed(_ step: Step?, by operation: String) -> Bool {
        switch step {
        case nil: false
        case .expect, .expectThenFail: operation == "send"
        case .control, .controlThenFail: operation == "control"
        default: true
        }
    }

    private static func text(_ step: Step) -> String {
        switch step {
        case .expect(let bytes), .expectThenFail(let bytes, _): hexText(bytes)
        case .give(let bytes): "a receive of \(hexText(bytes))"
        case .fail, .timeOut: "a receive that fails"
        case .event(let bytes): "an event \(hexText(bytes))"
        case .control(let request, _), .controlThenFail(let request, _): text(request)
        case .clearStall(let direction): "clearStall(\(direction))"
        case .leave: "the device leaving"
        }
    }

    private static func text(_ request: ControlRequest) -> String {
        let setup = [
            request.requestType, request.request,
            UInt8(truncatingIfNeeded: request.value), UInt8(truncatingIfNeeded: request.value >> 8),
            UInt8(truncatingIfNeeded: request.index), UInt8(truncatingIfNeeded: request.index >> 8),
        ]
        return "control \(hexText(setup)) length \(request.expectedLength) data \(hexText(request.data))"
    }
}
