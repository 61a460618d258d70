package import EMV
import ISO8583

/// Encrypted card data as one row of bytes, for a private field of a host message (field 126, as hexadecimal text). See
/// docs/iso8583.md.
///
/// 01, scheme (0 unknown, 1 triple DES DUKPT, 2 AES DUKPT), length of the key serial number, key serial number; then for
/// each part what it is (1 track 2 equivalent, 2 account number, 3 to 5 tracks 1 to 3), two bytes of length (big endian),
/// cipher text.
package enum EncryptedCardField {
    package static let field = 126
    private static let version: UInt8 = 1
    private static let schemes: [EncryptedCardData.Scheme] = [.unknown, .tdesDUKPT, .aesDUKPT]
    private static let contents: [EncryptedCardData.Content] = [
        .track2Equivalent, .accountNumber, .track1, .track2, .track3,
    ]
    /// What a field of 999 characters holds.
    private static let longest = 499

    /// Throws `badRequest` when it does not fit into a field.
    package static func encode(_ data: EncryptedCardData) throws(GatewayError) -> String {
        var bytes = [version, UInt8(schemes.firstIndex(of: data.scheme) ?? 0), UInt8(data.keySerialNumber.count)]
        bytes += data.keySerialNumber
        for (index, content) in contents.enumerated() {
            guard let part = data.parts[content] else { continue }
            guard part.count <= longest else { throw tooLong }
            bytes += [UInt8(index + 1), UInt8(part.count >> 8), UInt8(part.count & 0xFF)] + part
        }
        guard bytes.count <= longest else { throw tooLong }
        return String(decoding: HexDigits.encode(bytes), as: UTF8.self)
    }

    /// Nil when it is not of this form.
    package static func decode(_ text: String) -> EncryptedCardData? {
        guard let bytes = HexDigits.decode(Array(text.utf8)), bytes.count > 3, bytes[0] == version,
            schemes.indices.contains(Int(bytes[1])), bytes.count >= 3 + Int(bytes[2])
        else { return nil }
        var rest = bytes.dropFirst(3 + Int(bytes[2]))
        var parts: [EncryptedCardData.Content: [UInt8]] = [:]
        while !rest.isEmpty {
            let head = Array(rest.prefix(3))
            guard head.count == 3, contents.indices.contains(Int(head[0]) - 1) else { return nil }
            let (content, length) = (contents[Int(head[0]) - 1], Int(head[1]) << 8 | Int(head[2]))
            rest = rest.dropFirst(3)
            guard parts[content] == nil, length > 0, rest.count >= length else { return nil }
            parts[content] = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return EncryptedCardData(
            scheme: schemes[Int(bytes[1])], keySerialNumber: Array(bytes[3..<3 + Int(bytes[2])]), parts: parts)
    }

    private static let tooLong = GatewayError.badRequest(reason: "the encrypted card data are too long for the message")
}
