import EMV
import Readers
import Transport

/// A card at a reader that runs EMV itself: the reader decides, and what it decided is told in the words of the kernel.
struct ReaderDialogue: CardDialogue {
    private let reader: any KernelReader
    private let payment: ReaderPayment
    private let mayFallBack: Bool
    private var first: ReaderStop?
    private(set) var facts = CardFacts.none

    init(_ payment: ReaderPayment, at reader: any KernelReader) {
        self.reader = reader
        self.payment = payment
        mayFallBack = payment.isFallbackAllowed
    }

    /// The driver asks for the card, in the ways that the reader takes one.
    var invitation: PaymentProgress? { nil }

    var acknowledgement: PaymentProgress? { nil }

    /// The reader waits for the card and runs it in one go.
    mutating func waitForCard(
        _ patience: CardPatience, progress: @escaping @Sendable (PaymentProgress) -> Void
    ) async throws(ReaderError) {
        var stop = try await reader.start(payment, prompt: { progress(PaymentProgress($0)) }, patience: patience)
        // Without anybody to ask, the application that the card prefers.
        while case .applicationChoice(let labels) = stop {
            guard !labels.isEmpty else {
                throw ReaderError(.protocolViolation, during: "choosing the application", detail: "nothing to choose")
            }
            stop = try await reader.choose(0, until: patience.end)
        }
        first = stop
    }

    mutating func start(
        until deadline: Deadline, allowing: (CardFacts) async -> Bool
    ) async throws(ReaderError) -> CardStop {
        switch first {
        case .online(let reading):
            keep(reading)
            // The reader should have asked for the chip.
            guard !reading.saysThatCardHasChip || (reading.entry == .fallbackStripe && mayFallBack) else {
                return .finished(.cardError(Self.fault("the stripe of a card with a chip")))
            }
            return .host
        case .approved(let reading):
            keep(reading)
            return .finished(.approvedOffline(afterFailedAttempt: false))
        case .declined(let reading):
            keep(reading)
            return .finished(.declinedOffline(.cardOrTerminalDecision))
        case .ended(let reason): return .finished(Self.outcome(reason, .firstGenerateAC))
        case .applicationChoice, nil:
            throw ReaderError(.protocolViolation, during: "reading the card", detail: "no decision")
        }
    }

    mutating func resume(
        _ answer: HostAnswer, until deadline: Deadline, allowing: (CardFacts) async -> Bool,
        meanwhile errand: Errand<Bool>?
    ) async throws(ReaderError) -> CardStop {
        switch try await complete(answer, until: deadline, meanwhile: errand) {
        case .approved(let reading):
            keep(reading)
            return .finished(answer.isApproval ? .approved : .cardError(Self.fault("a TC after a refusal")))
        case .declined(let reading):
            keep(reading)
            guard case .answered(_, let isApproved, _) = answer else { return .finished(.declinedUnableToGoOnline) }
            return .finished(isApproved ? .declinedByCardAfterApproval : .declinedByIssuer)
        case .ended(let reason): return .finished(Self.outcome(reason, .secondGenerateAC))
        case .online, .applicationChoice:
            throw ReaderError(.protocolViolation, during: "completing the payment", detail: "no decision")
        }
    }

    private func complete(
        _ answer: HostAnswer, until deadline: Deadline, meanwhile errand: Errand<Bool>?
    ) async throws(ReaderError) -> ReaderStop {
        guard let errand else { return try await reader.complete(answer, until: deadline) }
        return try await errand.done { [reader] () throws(ReaderError) in
            try await reader.complete(answer, until: deadline)
        }
    }

    func end() async {
        await reader.abandon()
    }

    mutating func wipe() {
        first = nil
        facts = .none
    }

    private mutating func keep(_ reading: CardReading) {
        if case .reading(let online, _) = facts {
            facts = .reading(online: online, latest: reading)
        } else {
            facts = .reading(online: reading, latest: reading)
        }
    }

    private static func outcome(_ reason: ReaderStop.Reason, _ stage: CardFault.Stage) -> KernelOutcome {
        switch reason {
        case .notAccepted: .notAccepted(.noCommonApplication)
        case .cardBlocked: .notAccepted(.cardBlocked)
        case .cardFault: .cardError(CardFault(stage: stage, reason: "told by the reader"))
        case .cancelledByCardholder: .cancelledByCardholder
        case .fallbackNotAllowed: .cardError(fault("the chip cannot be read, and the stripe is not taken"))
        }
    }

    private static func fault(_ reason: String) -> CardFault {
        CardFault(stage: .reading, reason: reason)
    }
}
