package import Crypto
package import ISO8583

/// Card data encrypted for the host, for lines that end before it: fields 2, 14, 35, 36 and 45 leave the message, and
/// field 127 holds them under AES-256-GCM. See docs/iso8583.md.
///
/// Field 127 is hexadecimal text: nonce (12 bytes), cipher text, tag (16 bytes). The plain text is a row of field number
/// (three digits), length (three digits) and content; fields 11, 37 and 41 are authenticated with it, so that it cannot be
/// moved to another message.
package struct CardDataSeal: Sendable {
    package static let field = 127
    private static let sealedFields = [2, 14, 35, 36, 45]

    private let key: SecretBytes

    /// Nil unless the key has 32 bytes.
    package init?(key: SecretBytes) {
        guard key.count == AES256GCM.keyLength else { return nil }
        self.key = key
    }

    /// Throws `notSent` when libcrypto fails.
    package func seal(_ message: Message) throws(GatewayError) -> Message {
        var message = message
        var plain: [UInt8] = []
        defer { wipe(&plain) }
        for number in Self.sealedFields {
            guard let text = message.text(number) else { continue }
            plain += Array(Self.digits(number) + Self.digits(text.utf8.count)) + Array(text.utf8)
            message[number] = nil
        }
        guard !plain.isEmpty else { return message }
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<AES256GCM.nonceLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        do throws(CryptoError) {
            let sealed = try AES256GCM.seal(plain, key: key, nonce: nonce, authenticating: Self.context(message))
            message.set(Self.field, String(decoding: HexDigits.encode(nonce + sealed), as: UTF8.self))
        } catch {
            throw .notSent(reason: "the card data cannot be encrypted")
        }
        return message
    }

    /// The message with its card data back; nil when it is not sealed under this key for this message.
    package func open(_ message: Message) -> Message? {
        var message = message
        guard let sealed = message.text(Self.field).flatMap({ HexDigits.decode(Array($0.utf8)) }),
            sealed.count > AES256GCM.nonceLength
        else {
            return nil
        }
        let nonce = Array(sealed.prefix(AES256GCM.nonceLength))
        guard
            var plain = try? AES256GCM.open(
                Array(sealed.dropFirst(AES256GCM.nonceLength)), key: key, nonce: nonce,
                authenticating: Self.context(message))
        else { return nil }
        defer { wipe(&plain) }
        message[Self.field] = nil
        var rest = plain[...]
        while !rest.isEmpty {
            guard let number = Self.number(&rest), Self.sealedFields.contains(number), let count = Self.number(&rest),
                rest.count >= count
            else { return nil }
            message.set(number, String(decoding: rest.prefix(count), as: UTF8.self))
            rest = rest.dropFirst(count)
        }
        return message
    }

    private static func context(_ message: Message) -> [UInt8] {
        [11, 37, 41].flatMap { Array((message.text($0) ?? "").utf8) + [0] }
    }

    private static func digits(_ number: Int) -> [UInt8] {
        [number / 100, number / 10, number].map { 0x30 + UInt8($0 % 10) }
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        let digits = bytes.prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        bytes = bytes.dropFirst(3)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
