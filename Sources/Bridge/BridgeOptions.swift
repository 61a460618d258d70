public import NetworkTransport
public import Transport

/// What a bridge offers, and how.
public struct BridgeOptions: Sendable {
    public enum Offer: Sendable, Hashable {
        /// A pseudo terminal, under a name that stays the same.
        case terminal(link: String)
        /// A TCP port for one client at a time.
        case tcp(Endpoint)
        /// The same with Telnet and the com port option, by which the client sets the line.
        case rfc2217(Endpoint)
    }

    public var offer: Offer
    /// What the line is set to at first.
    public var settings: SerialSettings
    /// How long what a client says is held while the reader is away.
    public var holdTime: Duration
    /// How often the modem lines are looked at for an RFC 2217 client.
    public var modemPollTime: Duration
    /// How often a reader that is away is looked for.
    public var reopenTime: Duration
    /// What an RFC 2217 client is told that it talks to.
    public var signature: String

    public init(
        offer: Offer, settings: SerialSettings, holdTime: Duration = .seconds(1),
        modemPollTime: Duration = .milliseconds(100), reopenTime: Duration = .milliseconds(100),
        signature: String = "ReaderKit"
    ) {
        self.offer = offer
        self.settings = settings
        self.holdTime = holdTime
        self.modemPollTime = modemPollTime
        self.reopenTime = reopenTime
        self.signature = signature
    }
}

/// What a bridge tells its owner.
public enum BridgeEvent: Sendable, Hashable {
    /// Programs can come: to the node that the link leads to, or to this port.
    case ready(node: String?, endpoint: Endpoint?)
    case clientCame
    case clientLeft
    /// There is one already.
    case clientRefused
    /// What an RFC 2217 client calls itself. Not to be trusted, not made fit for a terminal.
    case clientSignature(String)
    case readerLeft
    /// Held or said in its absence, and thrown away, bytes.
    case discarded(Int)
    /// It is there, and cannot be opened: tried again and again, told once.
    case readerUnusable(TransportError)
    case readerBack
    /// The line has kept other settings than it was given.
    case settingsDiffer(asked: SerialSettings, kept: SerialSettings)
}

/// Why a bridge cannot begin.
public enum BridgeError: Error, Sendable, Hashable {
    /// The line cannot be opened. `.gone`: there is no reader.
    case line(TransportError)
    /// The pseudo terminal or its link cannot be made.
    case terminal(TransportError)
    /// The port cannot be listened on.
    case network(NetworkError)
}
