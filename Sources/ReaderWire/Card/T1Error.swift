/// Why a T=1 exchange ended without an answer.
public enum T1Error: String, Error, Sendable, Hashable, CaseIterable {
    /// `receive` or `timedOut` without an exchange under way.
    case notWaiting
    /// The command is empty or longer than an extended APDU, 65,544 bytes.
    case commandLength
    /// More than 65,538 bytes came back.
    case answerTooLong
    /// The card did not agree to the information field size after three tries. The default sizes stay in force.
    case informationFieldSizeNotAgreed
    /// Three tries and a resynchronisation did not bring an answer: the card must be reset.
    case noAnswer
    /// The link was resynchronised and works, but the command may already have been carried out, so it was not sent
    /// again and its answer is lost.
    case answerLost
    /// The card aborted the chain.
    case abortedByCard
    /// More blocks than any proper exchange needs.
    case tooManyBlocks
    /// The card asked for more time again and again.
    case tooManyWaitingTimeExtensions
}

extension T1Error: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notWaiting: "A block arrived although no exchange is under way."
        case .commandLength: "The command is empty or too long."
        case .answerTooLong: "The answer of the card is longer than allowed."
        case .informationFieldSizeNotAgreed: "The card did not agree to the information field size."
        case .noAnswer: "The card did not give a proper answer, even after resynchronisation."
        case .answerLost: "The answer of the card was lost, and the command is not safe to repeat."
        case .abortedByCard: "The card aborted the exchange."
        case .tooManyBlocks: "The exchange took more blocks than allowed."
        case .tooManyWaitingTimeExtensions: "The card asked for more time too often."
        }
    }
}
