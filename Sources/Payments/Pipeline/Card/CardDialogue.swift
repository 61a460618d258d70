import EMV
import Readers
import Transport

/// One card at one reader up to the end of its payment, whichever side runs EMV.
protocol CardDialogue: Sendable {
    /// What the person is asked for first; nil when the reader asks.
    var invitation: PaymentProgress? { get }

    /// What the person is told as soon as there is a card; nil when the reader has told it.
    var acknowledgement: PaymentProgress? { get }

    /// What is known of the card by now.
    var facts: CardFacts { get }

    /// Returns when there is a card; where the reader runs EMV itself, when the card has decided. Throws `.cardNotInserted`
    /// when none came in time.
    ///
    /// - Parameter progress: told what the person should do meanwhile.
    mutating func waitForCard(
        _ patience: CardPatience, progress: @escaping @Sendable (PaymentProgress) -> Void
    ) async throws(ReaderError)

    /// Runs the card to its first cryptogram, or what stands for it.
    ///
    /// - Parameter allowing: whether the card may be asked for a TC without the issuer.
    mutating func start(
        until deadline: Deadline, allowing: (CardFacts) async -> Bool
    ) async throws(ReaderError) -> CardStop

    /// What the issuer said goes to the card.
    ///
    /// - Parameters:
    ///   - allowing: whether the card may be asked for a TC without the issuer.
    ///   - errand: something to be done while the card works on it.
    mutating func resume(
        _ answer: HostAnswer, until deadline: Deadline, allowing: (CardFacts) async -> Bool,
        meanwhile errand: Errand<Bool>?
    ) async throws(ReaderError) -> CardStop

    /// Ends the card's part. Never throws: it is a clean-up step and does what can be done. May be called twice.
    func end() async

    mutating func wipe()
}

/// Where a card has stopped: for the issuer, or for good.
enum CardStop: Sendable {
    case host
    case finished(KernelOutcome)
}

extension CardDialogue {
    /// The host could not be asked.
    mutating func resume(
        _ answer: HostAnswer, until deadline: Deadline, allowing: (CardFacts) async -> Bool
    ) async throws(ReaderError) -> CardStop {
        try await resume(answer, until: deadline, allowing: allowing, meanwhile: nil)
    }

    /// The host has answered: it decides.
    mutating func resume(
        _ answer: HostAnswer, until deadline: Deadline, meanwhile errand: Errand<Bool>
    ) async throws(ReaderError) -> CardStop {
        try await resume(answer, until: deadline, allowing: { _ in false }, meanwhile: errand)
    }
}
