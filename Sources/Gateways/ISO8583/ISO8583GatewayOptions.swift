public import Crypto
public import ISO8583
public import NetworkTransport

/// How an acquirer's host is spoken to.
public struct ISO8583GatewayOptions: Sendable {
    /// How a sale is asked for.
    public enum AuthorisationMessage: String, Sendable, Hashable, CaseIterable {
        /// 0100: the money is captured later.
        case authorisation = "0100"
        /// 0200: the money moves with the approval.
        case financial = "0200"
    }

    public enum ReversalMessage: String, Sendable, Hashable, CaseIterable {
        case request = "0400"
        /// 0420: the host must accept it.
        case advice = "0420"
    }

    /// How the host is asked what it has in its books. ISO 8583 has no message for it.
    public enum Inquiry: String, Sendable, Hashable, CaseIterable {
        /// It cannot be asked: `status` ends with `noAnswer`, and a reversal must settle what is unknown.
        case none
        /// 0100 with processing code 390000, as `readerctl host` answers it; see docs/iso8583.md.
        case `private`
    }

    /// Whether the host compares batches.
    public enum Settlement: String, Sendable, Hashable, CaseIterable {
        /// It is sent the totals of each batch (0500) and answers with its own.
        case reconciliation
        /// It is not asked: batches are closed here only.
        case none
    }

    public enum MACMethod: String, Sendable, Hashable, CaseIterable {
        case retail
        case hmacSHA256 = "hmac-sha256"
    }

    public var endpoint: Endpoint
    public var profile: Profile
    public var framing = MessageFraming.plain
    /// Nil: TCP without TLS.
    public var tls: TLSClientSettings?
    public var authorisation = AuthorisationMessage.financial
    public var reversal = ReversalMessage.advice
    public var inquiry = Inquiry.private
    public var settlement = Settlement.reconciliation
    /// Field 32, 1 to 11 digits; nil to leave it out.
    public var acquirer: String?
    /// Fields 62 and 63 carry the attempt's own identity and that of the sale of a refund. Without them the host knows an
    /// attempt by its retrieval reference alone.
    public var sendsAttempts = true
    /// A sign-on (0800, 001) after each connect; without its answer the line is not used.
    public var signsOn = false
    /// How long a line may be idle before an echo (0800, 301) is sent; nil for none.
    public var echoInterval: Duration? = .seconds(60)
    /// How long connecting, sign-on, and the answer to an echo may take.
    public var connectTimeout = Duration.seconds(10)
    /// Codes in field 64 or 128 of every message, both ways; nil for none.
    public var mac: (method: MACMethod, key: SecretBytes)?
    /// Encrypts card data in field 127: 32 bytes; nil sends it in its own fields.
    public var cardDataKey: SecretBytes?

    public init(endpoint: Endpoint, profile: Profile) {
        self.endpoint = endpoint
        self.profile = profile
    }

    var authentication: MessageAuthentication? {
        mac.map { method, key in method == .retail ? .retail(key) : .hmacSHA256(key) }
    }
}
