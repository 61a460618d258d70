import ReaderWire
import Synchronization
import Transport

extension MPIReader {
    /// Cards that may be of no use in one payment, and taps that fail.
    static let maximumCards = 10
    /// After the wait: for what a card of the last instant decides, where this side hears of it only then.
    static let grace = Duration.seconds(1)
    private static let operation = "waiting for a card"

    public func start(
        _ payment: ReaderPayment, prompt: @escaping @Sendable (CardholderPrompt) -> Void, patience: CardPatience
    ) async throws(ReaderError) -> ReaderStop {
        try await gate.run(Self.operation) { () throws(ReaderError) in
            phase.withLock { $0 = .idle }
            return try await leavingNothingBehind { () throws(ReaderError) in
                try await run(payment, prompt, patience)
            }
        }
    }

    /// What came of waiting for one card.
    private enum Found {
        case stop(ReaderStop)
        case chip
        /// A card is in the slot, but no chip answers.
        case mutedChip
        case stripe(ToldCard)
        /// A tap that decided nothing.
        case tapFailed
    }

    private func run(
        _ payment: ReaderPayment, _ prompt: @escaping @Sendable (CardholderPrompt) -> Void, _ patience: CardPatience
    ) async throws(ReaderError) -> ReaderStop {
        link.forgetEvents()
        let status = try await link.ask(
            .cardStatus(isOn: true), operation: Self.operation, until: patience.end)
        if let present = MPICardStatus(status), present.isCardPresent { link.keep(event: status) }
        prompt(payment.firstPrompt)
        // A reader that tells nothing of its slot is left to wait for the card itself.
        if !status.isSuccess, payment.interfaces.contains(.contact) {
            return try await runChip(
                payment, prompt, waitsForCard: true, until: Deadline(patience.cardWait.instant.advanced(by: Self.grace))
            )
        }
        var chipHasFailed = false
        for _ in 0..<Self.maximumCards {
            switch try await waitForCard(payment, chipHasFailed: chipHasFailed, prompt, until: patience.cardWait) {
            case .stop(let stop): return stop
            case .chip:
                return try await runChip(payment, prompt, until: patience.dialogueDeadline(on: link.clock))
            case .tapFailed: prompt(.tryAgain)
            case .mutedChip:
                guard payment.isFallbackAllowed else { return .ended(.fallbackNotAllowed) }
                chipHasFailed = true
                prompt(.useStripe)
            case .stripe(let told):
                let reading = told.reading(chipHasFailed ? .fallbackStripe : .magneticStripe)
                if reading.saysThatCardHasChip, !chipHasFailed {
                    guard payment.interfaces.contains(.contact) else { return .ended(.fallbackNotAllowed) }
                    prompt(.useChip)
                } else if payment.interfaces.contains(.magneticStripe) || chipHasFailed {
                    phase.withLock { $0 = .stripe(reading) }
                    return .online(reading)
                } else {
                    prompt(payment.firstPrompt)
                }
            }
        }
        return .ended(.cardFault)
    }

    /// Slot and stripe by the reader's own messages, contactless by DE C1, whichever comes first.
    private func waitForCard(
        _ payment: ReaderPayment, chipHasFailed: Bool, _ prompt: @escaping @Sendable (CardholderPrompt) -> Void,
        until deadline: Deadline
    ) async throws(ReaderError) -> Found {
        let isTapWanted = payment.interfaces.contains(.contactless) && !chipHasFailed
        if deadline.hasPassed(on: link.clock) { throw ReaderError(.cardNotInserted, during: Self.operation) }
        try await link.begin(Self.operation, until: deadline)
        let limit = isTapWanted ? Deadline(deadline.instant.advanced(by: Self.grace)) : deadline
        if isTapWanted { try await link.send(MPIRequests.startContactless(payment), Self.operation) }
        /// What the slot or the stripe brought; a tap that was decided before counts more.
        func turn(_ found: Found) async throws(ReaderError) -> Found {
            guard isTapWanted else { return found }
            return try await ended(try await link.stop(.change, Self.operation)) ?? found
        }
        var strangers = 0
        for _ in 0..<FrameStream.maximumReads {
            switch try await arrival(until: limit) {
            case nil: return try await gaveUp(.cancelled, isTapWanted)
            case .nothing: return try await gaveUp(.deadline, isTapWanted)
            case .event(let event):
                guard let status = MPICardStatus(event) else { continue }
                if status.hasStripe { return try await turn(.stripe(status.objects)) }
                guard status.isCardPresent, !chipHasFailed else { continue }
                guard payment.interfaces.contains(.contact) else {
                    prompt(payment.firstPrompt)
                    continue
                }
                return try await turn(status.isChipReadable ? .chip : .mutedChip)
            case .answer(let answer):
                guard isTapWanted, let answer = try MPILink.decisive(answer, &strangers, Self.operation) else {
                    continue
                }
                return try await ended(.answered(answer)) ?? .tapFailed
            case .damaged:
                guard isTapWanted else { continue }
                link.markOutOfStep()
                throw ReaderError(.linkFailed, during: Self.operation, detail: "a damaged packet")
            }
        }
        throw ReaderError(.protocolViolation, during: Self.operation, detail: "messages without end")
    }

    /// The next message; nil when the task was cancelled.
    private func arrival(until deadline: Deadline) async throws(ReaderError) -> MPILink.Arrival? {
        if Task.isCancelled { return nil }
        do throws(ReaderError) {
            return try await link.next(Self.operation, until: deadline)
        } catch {
            if error.code == .cancelled { return nil }
            link.markOutOfStep()
            throw error
        }
    }

    /// Nobody came, or nobody is wanted any more.
    private func gaveUp(_ reason: MPILink.StopReason, _ isTapWanted: Bool) async throws(ReaderError) -> Found {
        if isTapWanted, let found = try await ended(try await link.stop(reason, Self.operation)) { return found }
        throw ReaderError(reason == .cancelled ? .cancelled : .cardNotInserted, during: Self.operation)
    }

    /// What a contactless transaction came to; nil when it was stopped, or ended without a card's word.
    private func ended(_ ending: MPILink.Ending) async throws(ReaderError) -> Found? {
        guard case .answered(let answer) = ending else { return nil }
        if let decision = MPIDecision(answer) {
            return .stop(try stop(decision, .contactlessChip, isFinal: false, Self.operation))
        }
        let failure = MPIFailure(statusWord: answer.statusWord, operation: Self.operation)
        if failure.ending == .cancelledByCardholder { return .stop(.ended(.cancelledByCardholder)) }
        if failure.ending == nil, failure.readerError.code == .unsupported { throw failure.readerError }
        return nil
    }

    /// DE D1.
    private func runChip(
        _ payment: ReaderPayment, _ prompt: @escaping @Sendable (CardholderPrompt) -> Void,
        waitsForCard: Bool = false, until deadline: Deadline
    ) async throws(ReaderError) -> ReaderStop {
        let operation = "reading the chip"
        prompt(waitsForCard ? .insertCard : .doNotRemoveCard)
        let ending = try await link.transact(MPIRequests.start(payment), operation: operation, until: deadline)
        if waitsForCard, case .stopped(.deadline) = ending { throw ReaderError(.cardNotInserted, during: operation) }
        return try chipStop(ending, isFinal: false, operation)
    }
}
