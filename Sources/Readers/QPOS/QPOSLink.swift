import ReaderWire
import Synchronization
import Transport

/// Commands and answers of a QPOS reader over a byte stream: queries, parts, late answers, and the way back to order.
/// Called by one operation at a time.
final class QPOSLink: Sendable {
    /// For a frame that needs neither a card nor a person.
    static let answerTimeout = Duration.seconds(5)
    /// How long a reader may take to end a payment that is cancelled, or to reset.
    static let stopTimeout = Duration.seconds(1)
    /// From a frame that says "waiting" to the query after it.
    static let queryInterval = Duration.milliseconds(200)
    /// The time-out of a query and of NEXT PART, seconds: the vendor's own.
    static let queryTimeout: UInt8 = 0x5A

    let stream: FrameStream
    let state = Mutex(State())

    struct State {
        var frames: [QPOSFrame] = []
        /// A frame with a wrong check byte that came since the last request.
        var damage: Damage?
        var lastCommand: QPOSCommand?
        /// An answer may still come that nobody waits for any more.
        var isOutOfStep = false
        /// A command is under way.
        var isOpen = false
    }

    init(transport: any Transport, clock: any MonotonicClock) {
        stream = FrameStream(.qpos, over: transport, clock: clock)
    }

    var clock: any MonotonicClock { stream.clock }

    /// True while the reader may be waiting for a card.
    var hasOpenCommand: Bool { state.withLock { $0.isOpen || $0.isOutOfStep } }

    func markOutOfStep() { state.withLock { $0.isOutOfStep = true } }

    func send(_ frame: QPOSFrame, _ operation: String) async throws(ReaderError) {
        state.withLock { $0.damage = nil }
        do throws(ReaderError) {
            try await stream.send(frame.bytes, operation)
        } catch {
            markOutOfStep()
            throw error
        }
    }

    /// What a frame with a wrong check byte may have been.
    enum Damage: Sendable, Hashable {
        /// Without data: "waiting", or a failure. The reader can be asked again.
        case ofState
        /// Perhaps a part of an answer, which would be missing without anybody noticing.
        case ofData

        init(_ bytes: [UInt8]) { self = bytes.count > QPOSFrame(.query, timeout: 0).bytes.count ? .ofData : .ofState }
    }

    /// What a wait for a frame came to.
    enum Arrival: Sendable {
        case frame(QPOSFrame)
        case damaged(Damage)
        case nothing
    }

    /// The next frame; see `FrameStream.receive` for the two deadlines.
    func next(
        _ operation: String, until soft: Deadline, atMost hard: Deadline
    ) async throws(ReaderError) -> Arrival {
        for _ in 0..<FrameStream.maximumReads {
            if let arrival = takeArrival() { return arrival }
            guard let events = try await stream.receive(operation, until: soft, atMost: hard) else { return .nothing }
            keep(events)
        }
        throw ReaderError(.protocolViolation, during: operation, detail: "the reader sends only noise")
    }

    private func keep(_ events: [OwnedFrameEvent]) {
        state.withLock { state in
            for event in events {
                guard case .frame(let bytes, _, let isGood) = event else { continue }
                if isGood, let frame = QPOSFrame(parsing: bytes) {
                    state.frames.append(frame)
                } else if state.damage != .ofData {
                    state.damage = Damage(bytes)
                }
            }
        }
    }

    private func takeArrival() -> Arrival? {
        state.withLock { state in
            if !state.frames.isEmpty { return .frame(state.frames.removeFirst()) }
            defer { state.damage = nil }
            return state.damage.map(Arrival.damaged)
        }
    }

    func drain(_ operation: String, quiet: Duration = FrameStream.quietTime) async throws(ReaderError) {
        try await stream.drain(operation, quiet: quiet)
        state.withLock { state in
            state.frames = []
            state.damage = nil
        }
    }

    /// RESET (20): the reader forgets what it was doing. Its answer is not published: any frame will do, and none.
    func reset(_ operation: String) async throws(ReaderError) {
        try await send(QPOSFrame(.reset, timeout: 15), operation)
        let deadline = Deadline.after(Self.stopTimeout, on: clock)
        waiting: for _ in 0..<FrameStream.maximumReads {
            switch try await next(operation, until: deadline, atMost: deadline) {
            case .frame, .nothing: break waiting
            case .damaged: continue
            }
        }
        try await drain(operation)
        state.withLock { state in
            state.isOutOfStep = false
            state.isOpen = false
            state.lastCommand = nil
        }
    }
}
