import Transport

@testable import Readers

extension KernelReader {
    /// A payment whose dialogue has the usual time.
    func start(
        _ payment: ReaderPayment, prompt: @escaping @Sendable (CardholderPrompt) -> Void, cardWait: Deadline
    ) async throws(ReaderError) -> ReaderStop {
        try await start(
            payment, prompt: prompt, patience: CardPatience(cardWait: cardWait, dialogue: .seconds(30)))
    }
}
