public import StableCodes

/// What can go wrong on a network connection. `code` decides what to do; `detail` is for people and logs and never holds
/// anything that was sent or received.
public struct NetworkError: Error, Hashable, Sendable {
    public enum Code: String, DocumentedCode {
        /// The host's name has no address.
        case unresolved
        /// Nobody listens there, or there is no way there.
        case unreachable
        /// The two sides could not agree on TLS, or the other side's certificate is not the one that was asked for.
        case untrusted
        /// The deadline passed.
        case timedOut
        /// The calling task was cancelled.
        case cancelled
        /// The other side closed the connection, or it broke.
        case closed
        /// The address cannot be listened on.
        case unavailable
        /// A setting cannot be used: a file of certificates or keys, or an address.
        case setting
        /// Anything else.
        case failed
    }

    public let code: Code
    public let detail: String
    /// Of a send: whether any of its bytes may have left this machine.
    public let mayHaveLeft: Bool

    public init(_ code: Code, _ detail: String, mayHaveLeft: Bool = false) {
        self.code = code
        self.detail = detail
        self.mayHaveLeft = mayHaveLeft
    }

    func having(left: Bool) -> NetworkError {
        NetworkError(code, detail, mayHaveLeft: left)
    }
}

extension NetworkError: CustomStringConvertible {
    public var description: String { "\(code.rawValue): \(detail)" }
}
