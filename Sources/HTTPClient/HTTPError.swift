public import StableCodes

/// Why there is no answer. Never holds the address, which may carry what must not be logged.
public struct HTTPError: Error, Sendable, Hashable {
    public enum Code: String, DocumentedCode {
        /// The address is not one that can be asked.
        case badAddress
        /// The name cannot be resolved, or nobody listens there.
        case unreachable
        /// The server's certificate is not to be trusted, or no safe connection came about.
        case untrusted
        case timedOut
        /// The answer is longer than is taken.
        case tooLarge
        case cancelled
        /// The connection broke, or the answer is not HTTP.
        case failed
        /// libcurl is not installed, or is not usable: nobody was asked.
        case libraryMissing
    }

    public let code: Code
    /// The library's own words.
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension HTTPError: CustomStringConvertible {
    public var description: String {
        switch code {
        case .badAddress: "the address cannot be used"
        case .unreachable: "the server cannot be reached (\(detail))"
        case .untrusted: "no trusted connection to the server (\(detail))"
        case .timedOut: "the server did not answer in time"
        case .tooLarge: "the server's answer is too long"
        case .cancelled: "it was cancelled"
        case .failed: "the connection failed (\(detail))"
        case .libraryMissing: "libcurl cannot be loaded (\(detail)); install the Debian package libcurl4"
        }
    }
}
