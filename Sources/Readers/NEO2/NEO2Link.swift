import ReaderWire
import Synchronization
import Transport

/// Commands and answers of a NEO2 reader over a transport: one at a time, answers of other commands dropped, events and
/// interim answers passed over. Called by one operation at a time.
final class NEO2Link: Sendable {
    static let sendTimeout = Duration.seconds(2)
    /// For an answer that needs no card.
    static let answerTimeout = Duration.seconds(1)
    /// How long a reader may take to end a transaction that is cancelled.
    static let stopTimeout = Duration.seconds(1)
    /// A link is quiet when nothing has come for this long.
    static let quietTime = Duration.milliseconds(50)
    /// The same between two commands with one code, whose answers could be mistaken for each other.
    static let shortQuietTime = Duration.milliseconds(3)
    /// Reads within one command after which the reader counts as mad.
    static let maximumReads = 20_000
    private static let streamReadLength = 4096

    let transport: any Transport
    let clock: any MonotonicClock
    private let form: NEO2LinkForm
    private let state: Mutex<State>

    private struct State {
        var receiver: NEO2Receiver
        var messages: [NEO2Receiver.Message] = []
        /// Of the last command that was answered.
        var lastCode: UInt8?
        /// An answer may still come that nobody waits for any more.
        var isOutOfStep = false
        /// A transaction waits for its card.
        var isTransacting = false
    }

    init(transport: any Transport, form: NEO2LinkForm, clock: any MonotonicClock) {
        self.transport = transport
        self.form = form
        self.clock = clock
        state = Mutex(State(receiver: NEO2Receiver(form)))
    }

    /// How an open command ended.
    enum Ending: Sendable {
        case answered(NEO2Frame)
        /// The reader stopped, because this side asked it to: at the deadline, or for a cancelled task.
        case stopped(NEO2StopReason)
    }

    /// A command whose answer needs no card. Silence and damage are tried again: only for commands that may come twice.
    func ask(
        _ command: NEO2Command, data: [UInt8] = [], operation: String, tries: Int = 3, until deadline: Deadline
    ) async throws(ReaderError) -> NEO2Frame {
        var left = max(1, tries)
        while true {
            left -= 1
            do throws(ReaderError) {
                try await getInStep(until: deadline, operation)
                let answer = try await exchange(
                    command, data: data, operation: operation,
                    until: min(deadline, .after(Self.answerTimeout, on: clock)))
                guard answer.status == .crcError, left > 0 else { return answer }
            } catch {
                guard error.code == .silent, left > 0, !deadline.hasPassed(on: clock) else { throw error }
            }
        }
    }

    /// A command that is sent once; its answer is awaited until the deadline.
    func exchange(
        _ command: NEO2Command, data: [UInt8] = [], operation: String, until deadline: Deadline
    ) async throws(ReaderError) -> NEO2Frame {
        try await send(command, data, operation, until: deadline)
        return try await answer(to: command.code, operation, until: deadline) { _ in nil }
    }

    /// A command that waits for a card. A cancelled task, and the deadline, ask the reader to stop (05-01); what it had
    /// decided before that stands.
    /// - Parameters:
    ///   - dialogue: how long the rest may take once the reader has said that it works on a card.
    ///   - interim: told of the status of each answer that is not the last.
    func transact(
        _ command: NEO2Command, data: [UInt8], operation: String, until deadline: Deadline, dialogue: Duration? = nil,
        interim: (NEO2Status) -> Void
    ) async throws(ReaderError) -> Ending {
        var hasCard = false
        try await getInStep(until: deadline, operation)
        state.withLock { $0.isTransacting = true }
        defer { state.withLock { $0.isTransacting = false } }
        do throws(ReaderError) {
            try await send(command, data, operation, until: deadline)
            let frame = try await answer(to: command.code, operation, until: deadline) { status in
                interim(status)
                guard let dialogue, status == .interim, !hasCard else { return nil }
                hasCard = true
                return .after(dialogue, on: clock)
            }
            return .answered(frame)
        } catch {
            switch error.code {
            case .cancelled: return try await stop(command.code, .cancelled, operation)
            case .silent: return try await stop(command.code, hasCard ? .dialogueDeadline : .deadline, operation)
            default: throw error
            }
        }
    }

    /// Asks the reader to end what it does, and awaits its answer. Runs to its end even when the caller is cancelled.
    /// - Parameter code: the command that is under way; its answer, if it came first, is what counts.
    func stop(
        _ code: UInt8?, _ reason: NEO2StopReason, _ operation: String
    ) async throws(ReaderError) -> Ending {
        let work = Task { () -> Result<Ending, ReaderError> in
            do throws(ReaderError) {
                return .success(try await self.sendStop(code, reason, operation))
            } catch {
                return .failure(error)
            }
        }
        return try await work.value.get()
    }

    private func sendStop(
        _ code: UInt8?, _ reason: NEO2StopReason, _ operation: String
    ) async throws(ReaderError) -> Ending {
        let deadline = Deadline.after(Self.stopTimeout, on: clock)
        state.withLock { $0.isOutOfStep = true }
        try await send(.cancelTransaction, [], operation, until: deadline)
        var decision: NEO2Frame?
        do throws(ReaderError) {
            while true {
                guard case .response(let frame) = try await nextMessage(operation, until: deadline) else { continue }
                if frame.command == NEO2Command.cancelTransaction.code { break }
                // Kept only if it decides something: a reader may also answer the command that it gives up.
                if frame.command == code, !frame.status.isInterim, NEO2Decision.isMade(by: frame) { decision = frame }
            }
            state.withLock { $0.isOutOfStep = false }
        } catch {
            guard error.code == .silent, decision != nil else { throw error }
        }
        return decision.map(Ending.answered) ?? .stopped(reason)
    }

    /// Ends a transaction that waits for its card, without awaiting the answer: for the end of the session, while the call
    /// that has the wire still listens. Does nothing when none waits.
    func sendLastCancel(always: Bool) async {
        guard always || state.withLock({ $0.isTransacting }) else { return }
        let message = NEO2Frame(.cancelTransaction).bytes
        try? await put(message, until: .after(Self.quietTime, on: clock))
    }

    private func put(_ message: [UInt8], until deadline: Deadline) async throws(TransportError) {
        switch form {
        case .hid:
            for report in NEO2Report.pack(message) { try await transport.send(report, until: deadline) }
        case .stream:
            try await transport.send(message, until: deadline)
        }
    }

    /// Reads and drops until the link has been quiet for a while.
    func drain(for quiet: Duration = NEO2Link.quietTime, operation: String) async throws(ReaderError) {
        for _ in 0..<Self.maximumReads {
            do throws(TransportError) {
                _ = try await transport.receive(atMost: readLength, until: .after(quiet, on: clock))
            } catch {
                guard error.code == .timedOut else { throw ReaderError(error, during: operation) }
                state.withLock { state in
                    state.receiver.reset(form)
                    state.messages = []
                }
                return
            }
        }
        throw ReaderError(.protocolViolation, during: operation, detail: "the reader does not stop sending")
    }

    /// After a command whose answer never came: a ping, whose answer comes after every older one.
    private func getInStep(until deadline: Deadline, _ operation: String) async throws(ReaderError) {
        guard state.withLock({ $0.isOutOfStep }) else { return }
        try await drain(operation: operation)
        let limit = min(deadline, .after(Self.answerTimeout, on: clock))
        try await send(.ping, [], operation, until: limit)
        _ = try await answer(to: NEO2Command.ping.code, operation, until: limit) { _ in nil }
        state.withLock { $0.isOutOfStep = false }
    }

    private func send(
        _ command: NEO2Command, _ data: [UInt8], _ operation: String, until deadline: Deadline
    ) async throws(ReaderError) {
        if Task.isCancelled { throw ReaderError(.cancelled, during: operation) }
        if state.withLock({ $0.lastCode == command.code }) {
            try await drain(for: Self.shortQuietTime, operation: operation)
        }
        state.withLock { state in
            state.messages = []
            state.lastCode = command.code
        }
        let message = NEO2Frame(command, data: data).bytes
        let limit = min(deadline, .after(Self.sendTimeout, on: clock))
        do throws(TransportError) {
            try await put(message, until: limit)
        } catch {
            state.withLock { $0.isOutOfStep = true }
            throw ReaderError(error, during: operation)
        }
    }

    /// The last answer to a command. Answers to others are late, and dropped.
    /// - Parameter interim: told of the status of each answer that is not the last; what it gives is the deadline from then
    ///   on.
    private func answer(
        to code: UInt8, _ operation: String, until deadline: Deadline, _ interim: (NEO2Status) -> Deadline?
    ) async throws(ReaderError) -> NEO2Frame {
        do throws(ReaderError) {
            var limit = deadline
            for _ in 0..<Self.maximumReads {
                guard case .response(let frame) = try await nextMessage(operation, until: limit),
                    frame.command == code
                else { continue }
                guard frame.status.isInterim else { return frame }
                limit = interim(frame.status) ?? limit
            }
            throw ReaderError(.protocolViolation, during: operation, detail: "no answer among very many messages")
        } catch {
            state.withLock { $0.isOutOfStep = true }
            throw error
        }
    }

    private func nextMessage(
        _ operation: String, until deadline: Deadline
    ) async throws(ReaderError) -> NEO2Receiver.Message {
        for _ in 0..<Self.maximumReads {
            let waiting = state.withLock { $0.messages.isEmpty ? nil : $0.messages.removeFirst() }
            if let waiting { return waiting }
            do throws(TransportError) {
                let bytes = try await transport.receive(atMost: readLength, until: deadline)
                state.withLock { $0.messages = $0.receiver.feed(bytes) }
            } catch {
                throw ReaderError(error, during: operation)
            }
        }
        throw ReaderError(.protocolViolation, during: operation, detail: "the reader sends only noise")
    }

    private var readLength: Int { form == .hid ? NEO2Report.length : Self.streamReadLength }
}

/// Why this side asked the reader to stop.
enum NEO2StopReason: Sendable, Hashable {
    case cancelled, deadline
    /// The deadline of a dialogue that had begun.
    case dialogueDeadline
}
