import Crypto
import EMV
import JSONText

/// Seals the receipts of one installation, so that a change to a stored one by somebody without the installation's key is
/// seen: HMAC-SHA256 over the exact stored text, which has the transaction's id in it.
///
/// A stored receipt ends in `,"seal":"KKKKKKKK:…"}`: the key's name, and the code in 64 hex digits over everything before
/// that member and the closing brace.
public struct ReceiptSeal: Sendable {
    /// Of the key; not secret. Tells a receipt of another installation from a changed one.
    let keyName: String
    /// Unix milliseconds: transactions that began later have sealed receipts.
    let madeAt: Int64
    private let key: SecretBytes

    static let keyLength = 32
    private static let context = Array("readerkit receipt\n".utf8)
    private static let opening = ",\"seal\":\""
    private static let closing = "\"}"
    private static let nameLength = 8

    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - madeAt: when it was made, unix milliseconds.
    init(key: SecretBytes, madeAt: Int64) throws(CryptoError) {
        self.key = key
        self.madeAt = madeAt
        keyName = try hexText(
            HMACSHA256.code(for: Array("readerkit receipt key".utf8), key: key).prefix(Self.nameLength / 2))
    }

    /// The text for the ledger. Without a seal, which no later check lets pass, when libcrypto fails.
    func seal(_ receipt: Receipt) -> String {
        var text = receipt.jsonValue.compactBytes
        if let code = try? code(of: text) {
            // The brace at the end comes again behind the seal.
            text.removeLast()
            for part in [Self.opening, keyName, ":", hexText(code), Self.closing] { text += part.utf8 }
        }
        return String(decoding: text, as: UTF8.self)
    }

    enum Finding: Sendable, Hashable {
        case intact, changed, otherKey, unsealed
    }

    /// Whether the text is as it was sealed.
    func check(_ text: String) -> Finding {
        let bytes = Array(text.utf8)
        let tail = Self.opening.utf8.count + Self.nameLength + 1 + 2 * HMACSHA256.length + Self.closing.utf8.count
        guard bytes.count > tail else { return .unsealed }
        let seal = String(decoding: bytes.suffix(tail), as: UTF8.self)
        guard seal.hasPrefix(Self.opening), seal.hasSuffix(Self.closing) else { return .unsealed }
        let parts = seal.dropFirst(Self.opening.utf8.count).dropLast(Self.closing.utf8.count)
            .split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return .changed }
        guard parts[0] == keyName else { return .otherKey }
        guard let code = try? code(of: bytes.dropLast(tail) + [UInt8(ascii: "}")]) else { return .changed }
        return constantTimeEquals(Array(parts[1].utf8), Array(hexText(code).utf8)) ? .intact : .changed
    }

    /// - Parameter body: the text without its seal.
    private func code(of body: [UInt8]) throws(CryptoError) -> [UInt8] {
        try HMACSHA256.code(for: Self.context + body, key: key)
    }
}
