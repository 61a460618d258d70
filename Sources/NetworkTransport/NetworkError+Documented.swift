public import StableCodes

extension NetworkError.Code {
    public var sentence: String {
        switch self {
        case .unresolved: "The host's name has no address."
        case .unreachable: "Nobody listens there, or there is no way there."
        case .untrusted: "The other side's certificate is not the expected one, or TLS was not agreed on."
        case .timedOut: "The deadline passed."
        case .cancelled: "The wait was cancelled."
        case .closed: "The other side closed the connection, or it broke."
        case .unavailable: "The address cannot be listened on."
        case .setting: "A file of certificates or keys, or an address, cannot be used."
        case .failed: "The system reports another fault."
        }
    }

    public var whoActs: WhoActs {
        switch self {
        case .unresolved, .untrusted, .unavailable, .setting: .integrator
        case .unreachable, .failed: .operator
        case .timedOut, .closed: .acquirer
        case .cancelled: .nobody
        }
    }

    public var nextStep: String {
        switch self {
        case .unresolved: "Correct the name, or the machine's name servers."
        case .unreachable: "Check the network, the address and the port."
        case .untrusted: "Check 'tlsAuthorityFile' and 'tlsName', and the host's certificate."
        case .timedOut: "Check the network; if others reach the host, ask its operator."
        case .cancelled: "None: somebody wanted it."
        case .closed: "Try again; if it repeats, ask the host's operator."
        case .unavailable: "Choose a free port, and an address of this machine."
        case .setting: "Correct what the detail names."
        case .failed: "Look at the detail and at the system's log."
        }
    }
}
