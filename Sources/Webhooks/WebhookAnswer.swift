public import HTTPClient

/// What one attempt came to.
public enum WebhookAnswer: Sendable, Hashable {
    /// The HTTP status that the receiver answered with, 100 ... 599.
    case status(Int)
    /// No answer, or none that could be taken.
    case none(HTTPError)

    /// Only 200 ... 299 counts.
    public var isAccepted: Bool {
        guard case .status(let status) = self else { return false }
        return (200...299).contains(status)
    }
}

extension WebhookAnswer: CustomStringConvertible {
    /// A clause, without the address.
    public var description: String {
        switch self {
        case .status(let status): "the server answered \(status)"
        case .none(let error): "\(error)"
        }
    }
}
