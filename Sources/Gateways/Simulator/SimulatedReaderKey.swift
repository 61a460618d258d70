import Crypto
import EMV

/// The key of the readers that exist only here: simulated ones, and firmware mocks. It is the published test key of ANSI
/// X9.24-1, annex A; no real reader may hold it.
enum SimulatedReaderKey {
    private static let base: [UInt8] = [
        0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0xFE, 0xDC, 0xBA, 0x98, 0x76, 0x54, 0x32, 0x10,
    ]

    /// The account that a reader of this key has encrypted; nil when it is another key's, or nothing that holds one.
    static func open(_ data: EncryptedCardData) -> (pan: PAN, expiry: CardExpiry)? {
        guard data.scheme == .tdesDUKPT,
            let host = try? TripleDESDUKPT(baseDerivationKey: SecretBytes(base))
        else { return nil }
        for content in [EncryptedCardData.Content.track2Equivalent, .track2] {
            guard let part = data.parts[content],
                var plain = try? host.decrypt(part, keySerialNumber: data.keySerialNumber)
            else { continue }
            defer { wipe(&plain) }
            var digits = content == .track2 ? track2Digits(plain) : nibbles(plain)
            defer { wipe(&digits) }
            if let account = account(digits) { return account }
        }
        return nil
    }

    /// Digits before the separator (13), then the month of expiry as YYMM.
    private static func account(_ digits: [UInt8]) -> (pan: PAN, expiry: CardExpiry)? {
        guard let separator = digits.firstIndex(of: 0x0D), let pan = PAN(digits: Array(digits[..<separator])) else {
            return nil
        }
        let month = digits[(separator + 1)...].prefix(4)
        guard month.count == 4, month.allSatisfy({ $0 < 10 }) else { return nil }
        let date = Array(month)
        guard let expiry = CardExpiry(bcd: [date[0] << 4 | date[1], date[2] << 4 | date[3]]) else { return nil }
        return (pan, expiry)
    }

    private static func nibbles(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { [$0 >> 4, $0 & 0x0F] }
    }

    /// `;number=YYMM…?` in ASCII, where `=` stands for the separator.
    private static func track2Digits(_ characters: [UInt8]) -> [UInt8] {
        characters.drop { $0 != UInt8(ascii: ";") }.dropFirst().prefix { $0 != UInt8(ascii: "?") }
            .map { $0 == UInt8(ascii: "=") ? 0x0D : $0 &- 0x30 }
    }
}
