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

    /// A stable name for logs and tables.
    public var code: String {
        switch self {
        case .notSent: "gateway.notSent"
        case .noAnswer: "gateway.noAnswer"
        case .cancelled: "gateway.cancelled"
        case .badRequest: "gateway.badRequest"
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
