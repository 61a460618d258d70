public import Crypto

/// How a notice is signed. The body is the same in both forms.
public enum WebhookForm: String, Sendable, Hashable, CaseIterable {
    /// The four headers of Kushki's card-present webhook.
    case kushki
    /// One header with time and signature, and the dedupe id in a header of its own:
    /// `ReaderKit-Signature: t=1700000000,v1=…`, HMAC-SHA256 in hex over the time, a full stop and the raw body.
    case readerkit

    /// Lines `Name: value`.
    ///
    /// - Parameters:
    ///   - time: unix seconds of this attempt.
    ///   - keyID: the merchant's id.
    ///   - dedupeID: the same in every attempt; nil for a ping.
    public func headers(
        body: [UInt8], time: Int64, keyID: String, dedupeID: String?, secret: SecretBytes
    ) throws(CryptoError) -> [String] {
        switch self {
        case .kushki: return try WebhookSignature(body: body, time: time, secret: secret).headers(keyID: keyID)
        case .readerkit:
            let code = WebhookSignature.hex(
                try HMACSHA256.code(for: Self.signed(body, String(time)), key: secret))
            let lines = ["ReaderKit-Key: \(keyID)", "ReaderKit-Signature: t=\(time),v1=\(code)"]
            return lines + (dedupeID.map { ["ReaderKit-Id: \($0)"] } ?? [])
        }
    }

    /// What `v1` covers.
    static func signed(_ body: [UInt8], _ time: String) -> [UInt8] {
        Array(time.utf8) + [UInt8(ascii: ".")] + body
    }
}
