public import HTTPClient

/// Why a reply did not reach the app that asked.
public enum DeliveryFailure: Error, Sendable, Hashable {
    /// The allow-list does not name the address, or no longer.
    case notAllowed
    /// No program can be started for the scheme.
    case handlerMissing(String)
    /// The program ended with this status.
    case handlerFailed(status: Int32)
    case web(HTTPError)
    /// The server answered, but not with a success (200 ... 299). Redirects are not followed.
    case status(Int)
}

extension DeliveryFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAllowed: "the configuration (replySchemes) does not allow this address"
        case .handlerMissing(let reason): "no program can be started for it (\(reason))"
        case .handlerFailed(let status): "the program started for it ended with \(status)"
        case .web(let error): "\(error)"
        case .status(let status): "the server answered \(status)"
        }
    }
}
