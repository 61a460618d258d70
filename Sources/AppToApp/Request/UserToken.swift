public import Crypto

/// The secret by which an app shows that it may ask for payments. It cannot print itself, and is wiped when it goes.
public struct UserToken: Sendable {
    private let secret: SecretBytes

    /// Nil for an empty text.
    public init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        secret = SecretBytes(Array(text.utf8))
    }

    /// Nil for no bytes.
    public init?(_ secret: SecretBytes) {
        guard secret.count > 0 else { return nil }
        self.secret = secret
    }

    /// Whether it is one of these. The duration tells neither which one nor how much of it was right, since digests of
    /// equal length are compared, and all of them.
    public func isOne(of known: [UserToken]) throws(CryptoError) -> Bool {
        let mine = try digest()
        var found = false
        for token in known {
            let isEqual = try constantTimeEquals(mine, token.digest())
            found = isEqual || found
        }
        return found
    }

    /// Whose identifiers are meant, for the ledger: a digest that does not lead back to the token.
    func scope() throws(CryptoError) -> String {
        var bytes = secret.withBytes { Array("readerkit caller 1\n".utf8) + Array($0) }
        defer { wipe(&bytes) }
        return String(try SHA256.hexDigest(of: bytes).prefix(32))
    }

    /// Whether `text` gives it away. Tokens of a few characters appear in any text by chance and are not looked for.
    func isContained(in text: String) -> Bool {
        guard secret.count >= Self.shortestLookedFor else { return false }
        let bytes = Array(text.utf8)
        return secret.withBytes { token in
            guard bytes.count >= token.count else { return false }
            return (0...bytes.count - token.count).contains { bytes[$0..<$0 + token.count].elementsEqual(token) }
        }
    }

    private static let shortestLookedFor = 8

    private func digest() throws(CryptoError) -> [UInt8] {
        var bytes = secret.withBytes { Array($0) }
        defer { wipe(&bytes) }
        return try SHA256.digest(of: bytes)
    }
}

extension UserToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(user token)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
