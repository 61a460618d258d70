public import Crypto

/// The headers that prove who sent a webhook: HMAC-SHA256 over the raw body, a full stop and the time, and over the time
/// alone.
public struct WebhookSignature: Sendable, Hashable {
    /// `X-Kushki-Id`: unix seconds.
    public let id: String
    /// `X-Kushki-Signature`: 64 lower-case hex digits.
    public let signature: String
    /// `X-Kushki-SimpleSignature`: 64 lower-case hex digits. It does not cover the body.
    public let simpleSignature: String

    /// - Parameter time: unix seconds.
    public init(body: [UInt8], time: Int64, secret: SecretBytes) throws(CryptoError) {
        let id = String(time)
        self.id = id
        signature = Self.hex(try HMACSHA256.code(for: Self.signed(body, id), key: secret))
        simpleSignature = Self.hex(try HMACSHA256.code(for: Array(id.utf8), key: secret))
    }

    /// Lines `Name: value`.
    ///
    /// - Parameter keyID: the merchant's id.
    public func headers(keyID: String) -> [String] {
        [
            "X-Kushki-Key: \(keyID)", "X-Kushki-Id: \(id)", "X-Kushki-Signature: \(signature)",
            "X-Kushki-SimpleSignature: \(simpleSignature)",
        ]
    }

    static func signed(_ body: [UInt8], _ id: String) -> [UInt8] {
        body + [UInt8(ascii: ".")] + Array(id.utf8)
    }

    static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
