/// The options that are spoken here.
public enum TelnetOption: UInt8, Sendable, Hashable, CaseIterable {
    /// RFC 856.
    case binary = 0
    /// RFC 857. The far end of the line answers for what it is sent, so a client must not echo for itself.
    case echo = 1
    /// RFC 858.
    case suppressGoAhead = 3
    /// RFC 2217.
    case comPort = 44
}

/// Which options each side has agreed to (RFC 854; RFC 1143 for the states, without which two polite sides never end).
/// Nothing is answered to what changes nothing, so there is no loop.
public struct TelnetNegotiation: Sendable {
    private enum Standing: Sendable {
        case no, asked, yes
    }

    /// What this side does, and what the client does.
    private var ours: [TelnetOption: Standing] = [:]
    private var theirs: [TelnetOption: Standing] = [:]

    public init() {}

    /// What an access server says first.
    public mutating func offer() -> [UInt8] {
        ours = [.binary: .asked, .suppressGoAhead: .asked]
        theirs = [.binary: .asked, .suppressGoAhead: .asked, .comPort: .asked]
        return [TelnetOption.binary, .suppressGoAhead].flatMap { option in
            TelnetWriter.negotiation(.will, option: option.rawValue)
                + TelnetWriter.negotiation(.do, option: option.rawValue)
        } + TelnetWriter.negotiation(.do, option: TelnetOption.comPort.rawValue)
    }

    /// The client speaks RFC 2217.
    public var hasComPort: Bool { theirs[.comPort] == .yes }

    /// The client has used the com port option: it speaks it, whatever was said. (pyserial takes our question for the answer
    /// to its own, which it then does not send.)
    public mutating func comPortIsUsed() {
        theirs[.comPort] = .yes
    }

    /// What is answered to a request of the client, empty when nothing is.
    public mutating func answer(_ verb: TelnetVerb, _ number: UInt8) -> [UInt8] {
        let isOurs = verb == .do || verb == .dont
        guard let option = TelnetOption(rawValue: number), isOurs || option != .echo else {
            switch verb {
            case .do: return TelnetWriter.negotiation(.wont, option: number)
            case .will: return TelnetWriter.negotiation(.dont, option: number)
            case .wont, .dont: return []
            }
        }
        let wishes = verb == .do || verb == .will
        let standing = (isOurs ? ours[option] : theirs[option]) ?? .no
        let next: Standing = wishes ? .yes : .no
        if isOurs { ours[option] = next } else { theirs[option] = next }
        // An answer to our own question, or nothing new.
        if standing == .asked || standing == next { return [] }
        return TelnetWriter.negotiation(isOurs ? (wishes ? .will : .wont) : (wishes ? .do : .dont), option: number)
    }
}
