public import EMV
public import Transport

/// A reader that runs EMV itself: it is told the amount, and answers with what it decided.
///
/// One payment is `start`, perhaps `choose`, perhaps `complete`; when it was left before its end, `abandon`.
///
/// Cancelling the task asks the reader to stop and awaits its answer: the call throws `.cancelled` when the reader did
/// stop, and returns as usual when the reader had decided before: a cancel that came too late changes nothing. A reader
/// that answers neither by the deadline ends the call with `.silent`.
public protocol KernelReader: CardReader {
    /// Asks for a card and runs it up to the first decision.
    ///
    /// - Parameters:
    ///   - prompt: told what the person should do. Prompts are not errors; called on any task, in order.
    ///   - patience: until when a card may come, and how long its dialogue may then take. A reader that tells of a card
    ///     only with its first decision has a little longer than `cardWait` to do so.
    /// - Throws: a `ReaderError`: `.cardNotInserted` at the end of `cardWait` when no card came, `.silent` at the end of
    ///   the dialogue. After it nothing of the payment is left in the reader.
    func start(
        _ payment: ReaderPayment, prompt: @escaping @Sendable (CardholderPrompt) -> Void, patience: CardPatience
    ) async throws(ReaderError) -> ReaderStop

    /// After `.applicationChoice`.
    /// - Parameter index: a place in the list that was given.
    func choose(_ index: Int, until deadline: Deadline) async throws(ReaderError) -> ReaderStop

    /// After `.online`: what the issuer said goes to the card, and the reader ends the payment.
    /// - Returns: `.approved`, `.declined` or `.ended`.
    func complete(_ answer: HostAnswer, until deadline: Deadline) async throws(ReaderError) -> ReaderStop

    /// Ends a payment that will not be completed. Never throws: it is a clean-up step and does what can be done.
    func abandon() async

    /// True when no card is in the reader any more, false at the deadline; true at once for a reader that cannot tell.
    func waitForCardRemoval(until deadline: Deadline) async throws(ReaderError) -> Bool
}
