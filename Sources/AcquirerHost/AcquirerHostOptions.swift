public import Crypto
public import Gateways
public import ISO8583
public import NetworkTransport

/// How a host listens and speaks.
public struct AcquirerHostOptions: Sendable {
    public enum WireProtocol: Sendable {
        /// ISO 8583 messages by this profile.
        case iso8583(Profile, MessageFraming)
        /// One JSON object a line.
        case json
    }

    public var endpoint: Endpoint
    public var wireProtocol: WireProtocol
    public var tls: TLSServerSettings?
    /// As the client has it; nil for none.
    public var mac: (method: ISO8583GatewayOptions.MACMethod, key: SecretBytes)?
    public var cardDataKey: SecretBytes?
    /// Clients at a time; more are turned away.
    public var connectionLimit = 64
    /// A message that has begun must be complete within this.
    public var messageTimeout = Duration.seconds(10)
    /// A client that sends nothing for this long is let go.
    public var idleTimeout = Duration.seconds(600)
    /// Requests of one client that are being answered at a time; a client that sends more is let go.
    public var requestLimit = 64
    /// How long the simulator's silent amounts keep a request.
    public var patience = Duration.seconds(120)

    public init(endpoint: Endpoint, wireProtocol: WireProtocol) {
        self.endpoint = endpoint
        self.wireProtocol = wireProtocol
    }

    var authentication: MessageAuthentication? {
        mac.map { method, key in method == .retail ? .retail(key) : .hmacSHA256(key) }
    }
}

/// One message that was answered, without card data.
public struct HostEvent: Sendable, Hashable {
    public let operation: HostOperation
    public let attempt: String?
    /// Minor units.
    public let amount: Int64?
    /// Nil when nothing readable was said.
    public let responseCode: String?
    public let fault: HostFault?
}
