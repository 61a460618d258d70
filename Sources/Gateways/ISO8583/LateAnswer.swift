/// An answer that came after its question was over. It changes nothing by itself: recovery, which has the attempt in its
/// list, may want to look at it sooner.
public struct LateAnswer: Sendable, Hashable {
    /// What had been asked.
    public enum Question: String, Sendable, Hashable, CaseIterable {
        case authorisation, refund, reversal, inquiry
    }

    public let attempt: AttemptID
    public let question: Question
    /// Field 39; nil when it is not a response code.
    public let responseCode: ResponseCode?

    public init(attempt: AttemptID, question: Question, responseCode: ResponseCode?) {
        self.attempt = attempt
        self.question = question
        self.responseCode = responseCode
    }
}

/// What a gateway has seen on its line, since it was made.
public struct GatewayLineStatistics: Sendable, Hashable {
    public var connections = 0
    public var lateAnswers = 0
    public var duplicateAnswers = 0
    /// Answers to nothing that was asked.
    public var strayAnswers = 0
    public var wrongAuthenticationCodes = 0
    public var unreadableMessages = 0
}
