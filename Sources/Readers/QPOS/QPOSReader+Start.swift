import ReaderWire
import Synchronization
import Transport

extension QPOSReader {
    /// Cards that may be of no use in one payment: a stripe that is not allowed, a bad swipe.
    static let maximumCards = 10
    /// Commands that wait for one card: each may wait 255 s, and a reader that ends each at once counts as mad.
    static let maximumWaits = 10
    /// Between two looks at a slot whose card must be taken out first.
    static let removalPause = Duration.seconds(1)
    /// After the wait, before this side ends it: for the reader's own time-out to be told, or a card of the last instant.
    static let grace = QPOSLink.stopTimeout
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

    /// What a card came to.
    private enum CardOutcome {
        case stop(ReaderStop)
        /// Another card, or the same one in another way.
        case again(CardholderPrompt)
        case chipFailed
    }

    private func run(
        _ payment: ReaderPayment, _ prompt: @escaping @Sendable (CardholderPrompt) -> Void, _ patience: CardPatience
    ) async throws(ReaderError) -> ReaderStop {
        var chipHasFailed = false
        var cards = 0
        var waits = 0
        prompt(payment.firstPrompt)
        while true {
            let card: QPOSCardData
            switch try await waitForCard(payment, prompt, until: patience.cardWait) {
            case .card(let data): card = data
            case .noCardYet:
                waits += 1
                guard waits < Self.maximumWaits else {
                    throw ReaderError(.cardNotInserted, during: Self.operation, detail: "it ends every wait at once")
                }
                continue
            case .cancelledByCardholder: return .ended(.cancelledByCardholder)
            }
            let outcome: CardOutcome
            switch card.cardState {
            case .inserted where chipHasFailed:
                // It is still in the slot.
                prompt(.removeCard)
                try await pause(until: patience.cardWait)
                continue
            case .inserted:
                guard payment.interfaces.contains(.contact) else { return .ended(.notAccepted) }
                prompt(.doNotRemoveCard)
                outcome = try await runChip(payment, prompt, until: patience.dialogueDeadline(on: link.clock))
            case .swiped:
                outcome = swiped(card, payment, chipHasFailed: chipHasFailed)
            case .contactless:
                outcome = try await tapped(card, payment, until: patience.dialogueDeadline(on: link.clock))
            case .other:
                outcome = .again(.tryAgain)
            }
            switch outcome {
            case .stop(let stop): return stop
            case .again(let text): prompt(text)
            case .chipFailed:
                guard payment.isFallbackAllowed else { return .ended(.fallbackNotAllowed) }
                chipHasFailed = true
                prompt(.useStripe)
            }
            cards += 1
            guard cards < Self.maximumCards else { return .ended(.cardFault) }
        }
    }

    /// 16-20. The reader ends it by itself at the deadline, which is the time-out that it is told.
    private func waitForCard(
        _ payment: ReaderPayment, _ prompt: @escaping @Sendable (CardholderPrompt) -> Void, until deadline: Deadline
    ) async throws(ReaderError) -> Waited {
        if deadline.hasPassed(on: link.clock) { throw ReaderError(.cardNotInserted, during: Self.operation) }
        let isLonger = deadline.remaining(on: link.clock) > .seconds(Int(UInt8.max))
        let ending = try await link.transact(
            .startTrade, timeout: seconds(until: deadline), data: QPOSRequests.trade(payment),
            operation: Self.operation, until: Deadline(deadline.instant.advanced(by: Self.grace))
        ) { tell($0, prompt) }
        switch ending {
        case .stopped(.cancelled): throw ReaderError(.cancelled, during: Self.operation)
        case .stopped(.deadline): throw ReaderError(.cardNotInserted, during: Self.operation)
        case .failed(let frame) where frame.status == .timeout:
            if isLonger { return .noCardYet }
            throw ReaderError(.cardNotInserted, during: Self.operation)
        case .failed(let frame) where frame.status == .userCancel: return .cancelledByCardholder
        case .failed(let frame):
            throw QPOSFailure(status: frame.status, operation: Self.operation).readerError
        case .done(let frame):
            guard frame.timeoutOrResult == 0, let card = QPOSCardData(parsing: frame.data), !card.isCut else {
                throw ReaderError(.protocolViolation, during: Self.operation, detail: "an answer without a card")
            }
            // A card in the slot decides nothing yet: a cancel that came meanwhile counts.
            if Task.isCancelled, card.cardState == .inserted {
                throw ReaderError(.cancelled, during: Self.operation)
            }
            return .card(card)
        }
    }

    private enum Waited {
        case card(QPOSCardData)
        /// The time-out that the reader can count to is over, and not the wait.
        case noCardYet
        case cancelledByCardholder
    }

    private func pause(until deadline: Deadline) async throws(ReaderError) {
        await link.clock.sleep(until: min(deadline, .after(Self.removalPause, on: link.clock)).instant)
        if Task.isCancelled { throw ReaderError(.cancelled, during: Self.operation) }
    }

    private func swiped(_ card: QPOSCardData, _ payment: ReaderPayment, chipHasFailed: Bool) -> CardOutcome {
        let reading = card.stripe(chipHasFailed ? .fallbackStripe : .magneticStripe)
        if reading.saysThatCardHasChip, !chipHasFailed {
            return payment.interfaces.contains(.contact) ? .again(.useChip) : .stop(.ended(.fallbackNotAllowed))
        }
        guard payment.interfaces.contains(.magneticStripe) || chipHasFailed else {
            return .again(payment.firstPrompt)
        }
        phase.withLock { $0 = .cardHasGone(reading) }
        return .stop(.online(reading))
    }

    /// 16-51 tells the objects; the cryptogram decides, and not the card state: sources differ on what that means.
    private func tapped(
        _ card: QPOSCardData, _ payment: ReaderPayment, until deadline: Deadline
    ) async throws(ReaderError) -> CardOutcome {
        guard payment.interfaces.contains(.contactless) else { return .again(payment.firstPrompt) }
        let operation = "reading a contactless card"
        let ending = try await shielded { () throws(ReaderError) in
            try await self.link.ask(
                .getICCTags, timeout: 60, data: QPOSRequests.everyContactlessObject, operation: operation,
                until: deadline)
        }
        guard case .done(let frame) = ending else { throw failure(ending, operation) }
        guard frame.timeoutOrResult == 0, let told = ToldCard(parsing: frame.data, Self.vendorTags),
            let type = told.cryptogramType
        else {
            throw ReaderError(.protocolViolation, during: operation, detail: "no cryptogram among the objects")
        }
        let account = told.hasNoAccount ? card.stripe(.contactlessChip).account : nil
        let reading = told.reading(.contactlessChip, known: account)
        switch type {
        case 0x80:
            phase.withLock { $0 = .cardHasGone(reading) }
            return .stop(.online(reading))
        case 0x40: return .stop(.approved(reading))
        default: return .stop(.declined(reading))
        }
    }

    /// 16-30.
    private func runChip(
        _ payment: ReaderPayment, _ prompt: @escaping @Sendable (CardholderPrompt) -> Void, until deadline: Deadline
    ) async throws(ReaderError) -> CardOutcome {
        let operation = "reading the chip"
        let ending = try await link.transact(
            .startEMV, timeout: 60, data: QPOSRequests.chip(payment), operation: operation, until: deadline
        ) { tell($0, prompt) }
        switch try await chipOutcome(ending, operation) {
        case .stop(let stop): return .stop(stop)
        case .chipFailed: return .chipFailed
        }
    }

    private func tell(_ status: QPOSStatus, _ prompt: (CardholderPrompt) -> Void) {
        switch status.rawValue {
        case 0x41: prompt(.enterPIN)
        case 0x42: prompt(.useChip)
        default: break
        }
    }

    /// The time-out that the reader is told: what is left, rounded up to whole seconds.
    private func seconds(until deadline: Deadline) -> UInt8 {
        let left = deadline.remaining(on: link.clock).components
        return UInt8(clamping: max(1, left.seconds + (left.attoseconds > 0 ? 1 : 0)))
    }
}
