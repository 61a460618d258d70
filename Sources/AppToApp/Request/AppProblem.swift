public import Payments

/// Why a request is not carried out, found before anything was started.
public struct AppProblem: Error, Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The URL itself is broken.
        case malformedURL
        /// A parameter is missing or not valid.
        case invalidRequest
        /// The parameters are in order, but a rule forbids the payment.
        case rule
        /// What belongs to the request cannot be stored.
        case storage
    }

    public let kind: Kind
    /// The entry of the catalogue for the caller.
    public let statusInfo: StatusInfo
    /// What is wrong and what to do, in English, for the people who run the kiosk.
    public let sentence: String

    public init(_ kind: Kind, _ statusInfo: StatusInfo, _ sentence: String) {
        self.kind = kind
        self.statusInfo = statusInfo
        self.sentence = sentence
    }

    static func missing(_ key: String) -> AppProblem {
        AppProblem(.invalidRequest, .missingField(key), "The parameter '\(key)' is missing.")
    }

    static func invalid(_ key: String, _ sentence: String) -> AppProblem {
        AppProblem(.invalidRequest, .invalidField(key), sentence)
    }
}
