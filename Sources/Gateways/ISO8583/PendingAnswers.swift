import ISO8583
import NetworkTransport
import Synchronization

/// Who waits for which answer. Answers may come in any order, late, twice, or unasked.
final class PendingAnswers: Sendable {
    /// What an answer repeats of its question.
    struct Key: Hashable {
        let stan: String
        /// Empty in network messages.
        let retrievalReference: String
        let terminal: String

        init(_ message: Message) {
            stan = message.text(11) ?? ""
            retrievalReference = message.text(37) ?? ""
            terminal = message.text(41) ?? ""
        }
    }

    enum Fault: Error {
        case connectionLost(String)
        case unusable(String)
    }

    typealias Answer = Rendezvous<Result<Message, Fault>>

    enum Delivery: Hashable {
        case delivered
        /// Nobody waits for it any more.
        case late(AttemptID?)
        /// It was answered before.
        case duplicate
        /// Nothing like it was asked.
        case stray
    }

    private struct Waiter {
        let response: MessageType?
        let attempt: AttemptID?
        let session: UInt64
        let answer: Answer
    }

    private struct Past {
        let attempt: AttemptID?
        let response: MessageType?
        var wasAnswered: Bool
    }

    private struct State {
        var waiting: [Key: Waiter] = [:]
        var past: [Key: Past] = [:]
        /// Keys of `past`, the oldest first.
        var order: [Key] = []
    }

    /// Questions whose answers are recognised after they are over.
    private static let memory = 1_024

    private let state = Mutex(State())

    /// Nil when the same question is being asked already.
    func register(_ message: Message, _ attempt: AttemptID?, session: UInt64) -> Answer? {
        let answer = Answer()
        let waiter = Waiter(
            response: message.type.response, attempt: attempt, session: session, answer: answer)
        return state.withLock { state in
            let key = Key(message)
            guard state.waiting[key] == nil else { return nil }
            state.waiting[key] = waiter
            return answer
        }
    }

    /// The question is over.
    func withdraw(_ message: Message, wasAnswered: Bool) {
        state.withLock { state in
            let key = Key(message)
            guard let waiter = state.waiting.removeValue(forKey: key) else { return }
            Self.remember(key, waiter, wasAnswered: wasAnswered, &state)
        }
    }

    /// An answer has come; `fault` when it cannot be used.
    func deliver(_ message: Message, fault: Fault? = nil) -> Delivery {
        let (delivery, waiter): (Delivery, Waiter?) = state.withLock { state in
            let key = Key(message)
            if let waiter = state.waiting[key], waiter.response == message.type {
                state.waiting[key] = nil
                // The right one may still come, and is late then.
                Self.remember(key, waiter, wasAnswered: fault == nil, &state)
                return (.delivered, waiter)
            }
            guard let past = state.past[key], past.response == message.type else { return (.stray, nil) }
            if past.wasAnswered { return (.duplicate, nil) }
            if fault == nil { state.past[key]?.wasAnswered = true }
            return (.late(past.attempt), nil)
        }
        guard let waiter else { return delivery }
        let result: Result<Message, Fault> = fault.map { .failure($0) } ?? .success(message)
        // The waiter may have given up in this very moment.
        return waiter.answer.settle(result) ? .delivered : .late(waiter.attempt)
    }

    /// The connection that the questions went out on is lost.
    func fail(session: UInt64, _ reason: String) {
        let lost = state.withLock { state in
            let lost = state.waiting.filter { $0.value.session == session }
            for (key, waiter) in lost {
                state.waiting[key] = nil
                Self.remember(key, waiter, wasAnswered: false, &state)
            }
            return lost.values.map(\.answer)
        }
        for answer in lost { answer.settle(.failure(.connectionLost(reason))) }
    }

    private static func remember(_ key: Key, _ waiter: Waiter, wasAnswered: Bool, _ state: inout State) {
        if state.past.updateValue(
            Past(attempt: waiter.attempt, response: waiter.response, wasAnswered: wasAnswered), forKey: key) == nil
        {
            state.order.append(key)
        }
        if state.order.count > memory { state.past[state.order.removeFirst()] = nil }
    }
}
