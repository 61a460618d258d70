public import Crypto

/// What a receiver makes of a webhook, from its raw bytes, before any of them is parsed.
public enum WebhookCheck: Sendable, Hashable {
    /// The address is being tried: answer 200, book nothing.
    case ping
    /// Signed and fresh. Book it once for each `transactionid`.
    case genuine
    /// The time is missing, not a number, or further than `tolerance` from now.
    case staleTime
    /// The signature is missing or another one.
    case badSignature

    /// Seconds between the sender's time and ours, either way.
    public static let tolerance: Int64 = 300

    /// - Parameters:
    ///   - body: the bytes as they were received.
    ///   - id: the header `X-Kushki-Id`.
    ///   - signature: the header `X-Kushki-Signature`, in either case.
    ///   - now: unix seconds.
    public static func check(
        body: [UInt8], id: String?, signature: String?, secret: SecretBytes, now: Int64
    ) throws(CryptoError) -> WebhookCheck {
        try check(
            body: body, id: id, signature: signature, secret: secret, now: now, signed: WebhookSignature.signed)
    }

    /// The same for the form `readerkit`.
    ///
    /// - Parameter header: `ReaderKit-Signature`: `t=1700000000,v1=…`, in any order; other parts are passed over.
    public static func check(
        body: [UInt8], header: String?, secret: SecretBytes, now: Int64
    ) throws(CryptoError) -> WebhookCheck {
        var (time, signature): (String?, String?)
        for part in (header ?? "").split(separator: ",", maxSplits: 16) {
            if part.hasPrefix("t=") { time = String(part.dropFirst(2)) }
            if part.hasPrefix("v1=") { signature = String(part.dropFirst(3)) }
        }
        return try check(
            body: body, id: time, signature: signature, secret: secret, now: now, signed: WebhookForm.signed)
    }

    /// The body that only tries the address.
    static let pingBody = Array("{}".utf8)

    private static func check(
        body: [UInt8], id: String?, signature: String?, secret: SecretBytes, now: Int64,
        signed: ([UInt8], String) -> [UInt8]
    ) throws(CryptoError) -> WebhookCheck {
        if body == pingBody { return .ping }
        guard let id, let time = Int64(id), isNear(time, now) else { return .staleTime }
        guard let signature else { return .badSignature }
        let expected = WebhookSignature.hex(try HMACSHA256.code(for: signed(body, id), key: secret))
        return constantTimeEquals(Array(expected.utf8), Array(signature.lowercased().utf8)) ? .genuine : .badSignature
    }

    private static func isNear(_ time: Int64, _ now: Int64) -> Bool {
        let (difference, overflow) = time.subtractingReportingOverflow(now)
        return !overflow && difference.magnitude <= UInt64(tolerance)
    }

    /// The HTTP status of the answer.
    public var status: Int {
        switch self {
        case .ping, .genuine: 200
        case .staleTime, .badSignature: 403
        }
    }
}
