import ReaderWire
import Synchronization
import Transport

extension MPILink {
    enum StopReason: Sendable, Hashable {
        case cancelled, deadline
        /// This side turns to something else.
        case change
    }

    /// How a transaction's command ended.
    enum Ending: Sendable {
        case answered(MPIResponse)
        /// The reader stopped, because this side asked it to.
        case stopped(StopReason)
    }

    /// A command that needs neither a card nor a person. Events that come meanwhile are kept.
    /// - Returns: the answer, whatever its status word.
    func ask(
        _ command: MPICommand, operation: String, timeout: Duration = MPILink.answerTimeout, until deadline: Deadline
    ) async throws(ReaderError) -> MPIResponse {
        try await begin(operation, until: deadline)
        try await send(command, operation)
        let limit = min(deadline, .after(timeout, on: clock))
        var events: [MPIResponse] = []
        defer { for event in events.reversed() { keep(event: event) } }
        do throws(ReaderError) {
            for _ in 0..<FrameStream.maximumReads {
                switch try await next(operation, until: limit) {
                case .event(let event):
                    events.append(event)
                    events.removeFirst(max(0, events.count - Self.maximumEvents))
                // The end of a transaction that nobody waits for any more.
                case .answer(let answer) where MPIDecision(answer) != nil: continue
                case .answer(let answer): return answer
                case .damaged:
                    throw ReaderError(.linkFailed, during: operation, detail: "a damaged packet")
                case .nothing:
                    throw ReaderError(.silent, during: operation)
                }
            }
            throw ReaderError(.protocolViolation, during: operation, detail: "messages without end")
        } catch {
            markOutOfStep()
            throw error
        }
    }

    /// A command whose answer is a decision (E2 to E5) or an error. A cancelled task, and the deadline, abort it (D0 FF);
    /// what the reader had decided before stands.
    /// - Parameter event: told of each message that nobody asked for.
    func transact(
        _ command: MPICommand, operation: String, until deadline: Deadline, event: (MPIResponse) -> Void = { _ in }
    ) async throws(ReaderError) -> Ending {
        try await begin(operation, until: deadline)
        try await send(command, operation)
        do throws(ReaderError) {
            var strangers = 0
            for _ in 0..<FrameStream.maximumReads {
                switch try await next(operation, until: deadline) {
                case .event(let message): event(message)
                case .answer(let answer):
                    if let answer = try Self.decisive(answer, &strangers, operation) { return .answered(answer) }
                case .damaged: throw ReaderError(.linkFailed, during: operation, detail: "a damaged packet")
                case .nothing: return try await stop(.deadline, operation)
                }
                if Task.isCancelled { throw ReaderError(.cancelled, during: operation) }
            }
            throw ReaderError(.protocolViolation, during: operation, detail: "messages without end")
        } catch {
            if error.code == .cancelled { return try await stop(.cancelled, operation) }
            markOutOfStep()
            throw error
        }
    }

    /// An answer that ends a transaction: a decision or an error. A plain success belongs to an earlier command.
    static func decisive(
        _ answer: MPIResponse, _ strangers: inout Int, _ operation: String
    ) throws(ReaderError) -> MPIResponse? {
        if !answer.isSuccess || MPIDecision(answer) != nil { return answer }
        guard answer.data.isEmpty || answer.template == .cardData else {
            throw ReaderError(.protocolViolation, during: operation, detail: "an answer that decides nothing")
        }
        strangers += 1
        guard strangers <= maximumStrangers else {
            throw ReaderError(.protocolViolation, during: operation, detail: "answers to other commands without end")
        }
        return nil
    }

    /// D0 FF: ends the transaction that is under way. Its own answer, that of the abort, or both may come, in any order.
    /// Runs to its end even when the caller is cancelled.
    func stop(_ reason: StopReason, _ operation: String) async throws(ReaderError) -> Ending {
        try await shielded { () throws(ReaderError) in
            do throws(ReaderError) {
                return try await self.sendStop(reason, operation)
            } catch {
                self.markOutOfStep()
                throw error
            }
        }
    }

    private func sendStop(_ reason: StopReason, _ operation: String) async throws(ReaderError) -> Ending {
        try await send(.abort, operation)
        var limit = Deadline.after(Self.stopTimeout, on: clock)
        let end = limit
        var decision: MPIResponse?
        var answers = 0
        var events: [MPIResponse] = []
        defer { for event in events.reversed() { keep(event: event) } }
        for _ in 0..<FrameStream.maximumReads {
            switch try await next(operation, until: limit) {
            case .event(let event):
                events.append(event)
                events.removeFirst(max(0, events.count - Self.maximumEvents))
            case .answer(let answer):
                answers += 1
                // An ARQC, or a choice, ends with the abort that crossed it; what the card decided stands.
                switch MPIDecision(answer) {
                case .approved, .declined: decision = decision ?? answer
                case .online, .choice, nil: break
                }
                limit = min(end, .after(Self.secondAnswerTime, on: clock))
            case .damaged: markOutOfStep()
            case .nothing:
                guard answers > 0 else { throw ReaderError(.silent, during: operation) }
                return decision.map(Ending.answered) ?? .stopped(reason)
            }
        }
        throw ReaderError(.protocolViolation, during: operation, detail: "messages without end")
    }
}
