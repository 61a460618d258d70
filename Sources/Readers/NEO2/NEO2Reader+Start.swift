import ReaderWire
import Synchronization
import Transport

extension NEO2Reader {
    /// How long contactless and stripe, and then the slot, are waited for where a payment may use both.
    static let contactlessTurn = Duration.seconds(5)
    static let contactTurn = Duration.seconds(1)
    /// For the reader's own time-out to be told, or a card of the last instant.
    static let grace = Duration.seconds(2)
    /// Turns after which a reader that ends each of them at once counts as mad.
    static let maximumTurns = 500
    /// A tapped card that leaves too early may come again so often.
    static let maximumTaps = 5

    public func start(
        _ payment: ReaderPayment, prompt: @escaping @Sendable (CardholderPrompt) -> Void, patience: CardPatience
    ) async throws(ReaderError) -> ReaderStop {
        try await gate.run(Self.operation) { () throws(ReaderError) in
            self.payment.withLock { $0 = .idle }
            let wanted = payment.interfaces.intersection(interfaces)
            guard !wanted.isEmpty else {
                throw ReaderError(.unsupported, during: Self.operation, detail: "the reader has no such interface")
            }
            let stop = try await clearingUp { () throws(ReaderError) in
                try await run(payment, Turns(wanted, payment), prompt, patience)
            }
            if case .online(let reading) = stop { self.payment.withLock { $0 = .online(reading) } }
            return stop
        }
    }

    /// After an error nothing of the payment may be left in the reader.
    private func clearingUp(
        _ body: () async throws(ReaderError) -> ReaderStop
    ) async throws(ReaderError) -> ReaderStop {
        do throws(ReaderError) {
            return try await body()
        } catch {
            switch error.code {
            case .gone, .closed, .silent: break
            default: _ = try? await link.stop(nil, .cancelled, Self.operation)
            }
            throw error
        }
    }

    static let operation = "waiting for a card"

    /// What may still be waited for.
    struct Turns {
        var air: Set<CardInterface>
        var contact: Bool
        var taps = 0
        /// Until the chip has failed, the stripe of a card with a chip is not taken, whatever the merchant allows.
        var fallback: NEO2Fallback

        /// - Parameter payment: one for the stripe alone that allows a fallback is made after the chip has failed.
        init(_ wanted: Set<CardInterface>, _ payment: ReaderPayment) {
            air = wanted.subtracting([.contact])
            contact = wanted.contains(.contact)
            let isAfterChip = payment.isFallbackAllowed && payment.interfaces == [.magneticStripe]
            fallback = isAfterChip ? .chipHasFailed : .refused
        }

        /// The chip was not readable: only the stripe is left. False when it may not be used.
        mutating func fallBack(_ payment: ReaderPayment, _ interfaces: Set<CardInterface>) -> Bool {
            guard payment.isFallbackAllowed, payment.interfaces.contains(.magneticStripe),
                interfaces.contains(.magneticStripe)
            else { return false }
            air = [.magneticStripe]
            contact = false
            fallback = .chipHasFailed
            return true
        }

        var prompt: CardholderPrompt {
            switch (air.contains(.contactless), air.contains(.magneticStripe), contact) {
            case (false, false, _): .insertCard
            case (true, false, false): .tapCard
            case (false, true, false): .swipeCard
            default: .presentCard
            }
        }
    }

    private func run(
        _ payment: ReaderPayment, _ first: Turns, _ prompt: @escaping @Sendable (CardholderPrompt) -> Void,
        _ patience: CardPatience
    ) async throws(ReaderError) -> ReaderStop {
        var turns = first
        prompt(turns.prompt)
        for _ in 0..<Self.maximumTurns {
            if !turns.air.isEmpty {
                switch try await takeAir(payment, turns, prompt, patience) {
                case .stop(let stop): return stop
                case .noCard, .chipFailed: break
                case .chipOnCard:
                    guard turns.contact else { return .ended(.fallbackNotAllowed) }
                    turns.air = []
                    prompt(.useChip)
                case .tapAgain:
                    turns.taps += 1
                    guard turns.taps < Self.maximumTaps else { return .ended(.cardFault) }
                    prompt(.tryAgain)
                    continue
                }
            }
            if turns.contact, hasTime(until: patience.cardWait) || turns.air.isEmpty {
                switch try await takeContact(payment, turns, prompt, patience) {
                case .stop(let stop): return stop
                case .chipFailed:
                    guard turns.fallBack(payment, interfaces) else { return .ended(.fallbackNotAllowed) }
                    prompt(.useStripe)
                case .noCard, .chipOnCard, .tapAgain: break
                }
            }
            guard hasTime(until: patience.cardWait) else { throw ReaderError(.cardNotInserted, during: Self.operation) }
        }
        throw ReaderError(.protocolViolation, during: Self.operation, detail: "it ends every wait at once")
    }

    /// Contactless and stripe, by 02-40.
    private func takeAir(
        _ payment: ReaderPayment, _ turns: Turns, _ prompt: @Sendable (CardholderPrompt) -> Void,
        _ patience: CardPatience
    ) async throws(ReaderError) -> Turn {
        let turn = Turn.Length(
            turns.contact ? airTurn(until: patience.cardWait) : nil, until: patience.cardWait, on: link.clock)
        let data = NEO2Requests.activation(
            payment, interfaces: turns.air, seconds: UInt8(clamping: turn.seconds))
        let ending = try await link.transact(
            .activateTransaction, data: data, operation: Self.operation, until: turn.patience,
            dialogue: patience.dialogue
        ) { status in
            if status == .interim { prompt(.processing) }
        }
        guard let frame = try answered(ending) else { return .noCard }
        let decision = try NEO2Decision(
            frame, expecting: .contactlessChip, fallback: turns.fallback, operation: Self.operation)
        switch decision {
        case .noCard: return .noCard
        case .cardSilent: return .tapAgain
        case .stop(.online(let reading)) where reading.entry == .magneticStripe && reading.saysThatCardHasChip:
            return .chipOnCard
        case .stop(let stop): return .stop(stop)
        }
    }

    /// The slot: 60-10 reads the card, 60-11 gets the first cryptogram.
    private func takeContact(
        _ payment: ReaderPayment, _ turns: Turns, _ prompt: @Sendable (CardholderPrompt) -> Void,
        _ patience: CardPatience
    ) async throws(ReaderError) -> Turn {
        let turn = Turn.Length(turns.air.isEmpty ? nil : Self.contactTurn, until: patience.cardWait, on: link.clock)
        let begun = try await link.transact(
            .contactStart, data: NEO2Requests.contact(payment, seconds: turn.seconds), operation: Self.operation,
            until: turn.patience, dialogue: patience.dialogue
        ) { status in
            if status == .interim { prompt(.processing) }
        }
        guard let frame = try answered(begun) else { return .noCard }
        guard frame.status == .ok, NEO2CardResult(frame.data, expecting: .contactChip) == nil else {
            switch try NEO2Decision(frame, expecting: .contactChip, operation: Self.operation) {
            case .noCard: return .noCard
            case .cardSilent: return .chipFailed
            case .stop(let stop): return .stop(stop)
            }
        }
        prompt(.doNotRemoveCard)
        let operation = "reading the card"
        let read = try await link.transact(
            .contactAuthenticate, data: [], operation: operation,
            until: patience.dialogueDeadline(on: link.clock)
        ) { _ in }
        switch read {
        case .stopped(.cancelled): throw ReaderError(.cancelled, during: operation)
        case .stopped(.deadline), .stopped(.dialogueDeadline): throw ReaderError(.silent, during: operation)
        case .answered(let frame):
            switch try NEO2Decision(frame, expecting: .contactChip, operation: operation) {
            case .stop(let stop): return .stop(stop)
            case .noCard, .cardSilent: throw ReaderError(.cardRemoved, during: operation)
            }
        }
    }

    /// The frame of an answer; nil when the reader stopped at its turn's end.
    private func answered(_ ending: NEO2Link.Ending) throws(ReaderError) -> NEO2Frame? {
        switch ending {
        case .answered(let frame): return frame
        case .stopped(.deadline): return nil
        case .stopped(.dialogueDeadline): throw ReaderError(.silent, during: "reading the card")
        case .stopped(.cancelled): throw ReaderError(.cancelled, during: Self.operation)
        }
    }

    /// The slot has its turn too, however short the wait is.
    private func airTurn(until deadline: Deadline) -> Duration {
        max(min(Self.contactlessTurn, deadline.remaining(on: link.clock) - Self.contactTurn), .seconds(1))
    }

    private func hasTime(until deadline: Deadline) -> Bool { deadline.remaining(on: link.clock) > .zero }
}

extension NEO2Reader {
    /// What a turn came to.
    private enum Turn {
        case stop(ReaderStop)
        case noCard
        /// The stripe of a card with a chip.
        case chipOnCard
        /// The chip in the slot does not answer.
        case chipFailed
        /// A tapped card left too early.
        case tapAgain

        /// How long a turn lasts: what the reader is told, and what this side waits until it hears of a card.
        struct Length {
            let seconds: UInt16
            let patience: Deadline

            /// - Parameter length: nil for all that is left.
            init(_ length: Duration?, until deadline: Deadline, on clock: any MonotonicClock) {
                let limit = length.map { min(deadline, .after($0, on: clock)) } ?? deadline
                // The reader counts whole seconds; the wait is never shorter than was asked for.
                let (whole, rest) = limit.remaining(on: clock).components
                seconds = UInt16(clamping: max(rest > 0 ? whole + 1 : whole, 1))
                patience = Deadline(limit.instant.advanced(by: NEO2Reader.grace))
            }
        }
    }
}
