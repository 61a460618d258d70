import Crypto
import Gateways

/// Encrypts what waits for the host: AES-256-GCM, bound to the transaction that it belongs to.
///
/// One byte of version, eight that tell the key, a nonce of twelve, the cipher text, its tag. Version, key and attempt are
/// authenticated with it, so that it cannot be moved to another transaction.
struct PaymentSeal: Sendable {
    enum Opened: Sendable {
        case advice(OfflineAdvice)
        case otherKey
        case changed
    }

    private static let version: UInt8 = 1
    private static let checkLength = 8

    private let key: SecretBytes
    /// What may be known of the key: enough to tell it from another one.
    private let check: [UInt8]

    /// Nil unless the key has 32 bytes.
    init?(key: SecretBytes) {
        guard key.count == AES256GCM.keyLength,
            let code = try? HMACSHA256.code(for: Array("readerkit offline key".utf8), key: key)
        else { return nil }
        self.key = key
        check = Array(code.prefix(Self.checkLength))
    }

    /// Throws when libcrypto fails.
    func seal(_ advice: OfflineAdvice, random: any RandomSource) throws(CryptoError) -> [UInt8] {
        var plain = AdviceEncoding.bytes(advice)
        defer { wipe(&plain) }
        let head = [Self.version] + check
        let nonce = random.bytes(AES256GCM.nonceLength)
        let sealed = try AES256GCM.seal(
            plain, key: key, nonce: nonce, authenticating: Self.context(head, advice.request.attempt))
        return head + nonce + sealed
    }

    func open(_ sealed: [UInt8], of attempt: AttemptID) -> Opened {
        let headLength = 1 + Self.checkLength
        guard sealed.count > headLength + AES256GCM.nonceLength, sealed[0] == Self.version else { return .changed }
        let head = Array(sealed.prefix(headLength))
        guard Array(head.dropFirst()) == check else { return .otherKey }
        let nonce = Array(sealed.dropFirst(headLength).prefix(AES256GCM.nonceLength))
        let rest = Array(sealed.dropFirst(headLength + AES256GCM.nonceLength))
        let opened = try? AES256GCM.open(rest, key: key, nonce: nonce, authenticating: Self.context(head, attempt))
        guard var plain = opened else { return .changed }
        defer { wipe(&plain) }
        guard let advice = AdviceEncoding.advice(plain), advice.request.attempt == attempt else { return .changed }
        return .advice(advice)
    }

    private static func context(_ head: [UInt8], _ attempt: AttemptID) -> [UInt8] {
        head + Array(attempt.text.utf8)
    }
}
