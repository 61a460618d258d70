public import StableCodes

extension HTTPError.Code {
    public var sentence: String {
        switch self {
        case .badAddress: "The address is not one that can be asked."
        case .unreachable: "The name cannot be resolved, or nobody listens there."
        case .untrusted: "The server's certificate is not trusted."
        case .timedOut: "The server did not answer in time."
        case .tooLarge: "The answer is longer than is taken."
        case .cancelled: "The request was cancelled."
        case .failed: "The connection broke, or the answer is not HTTP."
        case .libraryMissing: "The library libcurl is not installed, or cannot be used."
        }
    }

    public var whoActs: WhoActs {
        switch self {
        case .badAddress, .untrusted, .tooLarge, .failed, .libraryMissing: .integrator
        case .unreachable, .timedOut: .operator
        case .cancelled: .nobody
        }
    }

    public var nextStep: String {
        switch self {
        case .badAddress: "Use an http or https address."
        case .unreachable: "Check the network, the address and the port."
        case .untrusted: "Install a certificate that the system trusts."
        case .timedOut: "Check the network and the server; it is tried again."
        case .tooLarge: "Answer with a short body."
        case .cancelled: "None: somebody wanted it."
        case .failed: "Look at the server's log."
        case .libraryMissing: "Install the Debian package libcurl4."
        }
    }
}
