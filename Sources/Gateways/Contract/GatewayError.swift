public import StableCodes

/// Why a gateway gave no answer. Each case says whether money may have moved, which decides between "failed" and
/// "unknown" (a reversal is owed). The reasons are words for logs and never hold card data.
public enum GatewayError: Error, Sendable, Hashable {
    /// The request has certainly not left this machine: no money moved.
    case notSent(reason: String)
    /// The request left, or may have left, and no usable answer came: unknown.
    case noAnswer(reason: String)
    /// The calling task was cancelled. When `sent`, unknown.
    case cancelled(sent: Bool)
    /// The request contradicts itself and was not sent: no money moved.
    case badRequest(reason: String)

    /// The stable names and numbers.
    public enum Code: String, NumberedCode {
        case notSent = "gateway.notSent"
        case noAnswer = "gateway.noAnswer"
        case cancelled = "gateway.cancelled"
        case badRequest = "gateway.badRequest"
    }

    public var code: Code {
        switch self {
        case .notSent: .notSent
        case .noAnswer: .noAnswer
        case .cancelled: .cancelled
        case .badRequest: .badRequest
        }
    }

    /// Whether the host may have booked the request.
    public var moneyMayHaveMoved: Bool {
        switch self {
        case .notSent, .badRequest: false
        case .noAnswer: true
        case .cancelled(let sent): sent
        }
    }
}

extension GatewayError.Code {
    public var number: Int {
        switch self {
        case .notSent: 6001
        case .noAnswer: 6002
        case .cancelled: 6003
        case .badRequest: 6004
        }
    }

    public var sentence: String {
        switch self {
        case .notSent: "The request has not left this machine: no money moved."
        case .noAnswer: "The request may have left and no usable answer came: the outcome is unknown."
        case .cancelled: "The request was cancelled; the outcome is unknown when it may have left."
        case .badRequest: "The request contradicts itself and was not sent: no money moved."
        }
    }

    public var whoActs: WhoActs {
        switch self {
        case .notSent, .cancelled: .operator
        case .noAnswer: .acquirer
        case .badRequest: .developers
        }
    }

    public var nextStep: String {
        switch self {
        case .notSent: "Check the network and the 'gateway' section of the configuration, then take the payment again."
        case .noAnswer: "Run 'readerctl resolve'; if it stays, ask the acquirer."
        case .cancelled: "Run 'readerctl resolve' when the payment is 'unknown', else start again."
        case .badRequest: "Report it with the output of 'readerctl transaction ID --json'."
        }
    }
}

extension GatewayError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notSent(let reason): "The request was not sent to the gateway: \(reason)."
        case .noAnswer(let reason): "The gateway gave no usable answer; the outcome is unknown: \(reason)."
        case .cancelled(true): "Cancelled after the request may have left; the outcome is unknown."
        case .cancelled(false): "Cancelled before the request left."
        case .badRequest(let reason): "The request is not valid and was not sent: \(reason)."
        }
    }
}
