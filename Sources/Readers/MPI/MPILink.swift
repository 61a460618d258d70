import ReaderWire
import Synchronization
import Transport

/// Commands and answers of an MPI reader over a byte stream. Answers bear no number: what nobody waits for any more is
/// cleared away before the next command. Messages that nobody asked for wait in a queue of their own. Called by one
/// operation at a time.
final class MPILink: Sendable {
    /// For an answer that needs neither a card nor a person.
    static let answerTimeout = Duration.seconds(5)
    /// How long a reader may take to end a transaction that is aborted.
    static let stopTimeout = Duration.seconds(1)
    /// After the first answer to an abort: the other one may follow.
    static let secondAnswerTime = Duration.milliseconds(200)
    /// What is stale on a link that was just opened has come by then.
    static let openingTime = Duration.milliseconds(30)
    /// Messages that nobody asked for that are kept; the oldest are dropped.
    static let maximumEvents = 64
    /// Answers that do not belong to the command before the dialogue counts as out of step.
    static let maximumStrangers = 20

    let stream: FrameStream
    let state = Mutex(State())

    struct State {
        var reassembler = MPIReassembler()
        var answers: [MPIResponse] = []
        var events: [MPIResponse] = []
        /// A packet was damaged since the last command, or lost within a chain.
        var isDamaged = false
        var isTooLong = false
        /// An answer may still come that nobody waits for any more.
        var isOutOfStep = false
    }

    init(transport: any Transport, clock: any MonotonicClock) {
        stream = FrameStream(.mpi, over: transport, clock: clock)
    }

    var clock: any MonotonicClock { stream.clock }
    var isOutOfStep: Bool { state.withLock { $0.isOutOfStep } }
    func markOutOfStep() { state.withLock { $0.isOutOfStep = true } }

    enum Arrival: Sendable {
        case answer(MPIResponse)
        case event(MPIResponse)
        /// A packet came damaged: an answer may have lost a part.
        case damaged
        case nothing
    }

    func send(_ command: MPICommand, _ operation: String) async throws(ReaderError) {
        do throws(ReaderError) {
            try await stream.send(MPIPacket.packets(command.bytes).flatMap(\.bytes), operation)
        } catch {
            markOutOfStep()
            throw error
        }
    }

    /// The next message, events first.
    func next(_ operation: String, until deadline: Deadline) async throws(ReaderError) -> Arrival {
        for _ in 0..<FrameStream.maximumReads {
            if let arrival = try takeArrival(operation) { return arrival }
            guard let events = try await stream.receive(operation, until: deadline, atMost: deadline) else {
                // A chain that was left open is given up.
                state.withLock { $0.reassembler.reset() }
                return .nothing
            }
            keep(events)
        }
        throw ReaderError(.protocolViolation, during: operation, detail: "the reader sends only noise")
    }

    private func keep(_ frames: [OwnedFrameEvent]) {
        state.withLock { state in
            for frame in frames {
                guard let packet = frame.goodFrame.flatMap({ MPIPacket(parsing: $0) }) else {
                    // Noise between packets is nothing; within a chain it was one of them.
                    if case .frame = frame { state.isDamaged = true }
                    if state.reassembler.heldCount > 0 { state.isDamaged = true }
                    state.reassembler.reset()
                    continue
                }
                switch state.reassembler.take(packet) {
                case .message(let bytes, let isUnsolicited):
                    guard let message = MPIResponse(parsing: bytes) else { continue }
                    if isUnsolicited {
                        state.events.append(message)
                        state.events.removeFirst(max(0, state.events.count - Self.maximumEvents))
                    } else if state.answers.count < Self.maximumEvents {
                        state.answers.append(message)
                    }
                case .tooLong(isUnsolicited: false): state.isTooLong = true
                case .tooLong, nil: break
                }
            }
        }
    }

    private func takeArrival(_ operation: String) throws(ReaderError) -> Arrival? {
        let (arrival, isTooLong) = state.withLock { state -> (Arrival?, Bool) in
            if state.isTooLong {
                state.isTooLong = false
                return (nil, true)
            }
            if !state.events.isEmpty { return (.event(state.events.removeFirst()), false) }
            if state.isDamaged {
                state.isDamaged = false
                state.answers = []
                return (.damaged, false)
            }
            return (state.answers.isEmpty ? nil : .answer(state.answers.removeFirst()), false)
        }
        if isTooLong {
            markOutOfStep()
            throw ReaderError(.protocolViolation, during: operation, detail: "an answer without end")
        }
        return arrival
    }

    /// Before a command: what nobody waits for any more is cleared away; after an answer that never came the reader is
    /// told to stop what it does (D0 FF).
    func begin(_ operation: String, until deadline: Deadline) async throws(ReaderError) {
        if Task.isCancelled { throw ReaderError(.cancelled, during: operation) }
        if deadline.hasPassed(on: clock) { throw ReaderError(.silent, during: operation, detail: "no time is left") }
        if isOutOfStep {
            try await clear(operation, quiet: FrameStream.quietTime)
            try await send(.abort, operation)
            try await clear(operation, quiet: Self.secondAnswerTime)
            state.withLock { $0.isOutOfStep = false }
        } else {
            try await clear(operation, quiet: FrameStream.shortQuietTime)
        }
    }

    /// Takes in what comes until nothing has come for a while; answers are dropped, events are kept.
    func clear(_ operation: String, quiet: Duration) async throws(ReaderError) {
        let end = Deadline.after(FrameStream.drainTimeout, on: clock)
        for _ in 0..<FrameStream.maximumReads where !end.hasPassed(on: clock) {
            let limit = Deadline.after(quiet, on: clock)
            guard let frames = try await stream.receive(operation, until: limit, atMost: limit) else {
                state.withLock { state in
                    state.reassembler.reset()
                    state.answers = []
                    state.isDamaged = false
                    state.isTooLong = false
                }
                return
            }
            keep(frames)
            state.withLock { $0.answers = [] }
        }
        throw ReaderError(.protocolViolation, during: operation, detail: "the reader does not stop sending")
    }

    func forgetEvents() { state.withLock { $0.events = [] } }

    /// Puts an event back for whoever waits for it next.
    func keep(event: MPIResponse) { state.withLock { $0.events.insert(event, at: 0) } }
}
