package import Crypto
import EMV
package import ISO8583

/// The message authentication code in field 64, or in field 128 when the message has a secondary bitmap: over every byte
/// of the encoded message before it. Eight bytes, whatever the method.
package enum MessageAuthentication: Sendable {
    /// The retail MAC (ANSI X9.19; ISO/IEC 9797-1 algorithm 3, padding method 1) under a 16-byte key.
    case retail(SecretBytes)
    /// HMAC with SHA-256, its first eight bytes.
    case hmacSHA256(SecretBytes)

    package static let length = 8

    /// Encodes with the code. Throws `badRequest` when the message cannot be encoded.
    package func encode(_ message: Message, _ codec: MessageCodec) throws(GatewayError) -> [UInt8] {
        var message = message
        let number = Self.field(of: message)
        message.set(number, [UInt8](repeating: 0, count: Self.length))
        do throws(ISO8583Error) {
            let open = try codec.encodeWithLayout(message)
            guard let place = open.layout[number] else { throw ISO8583Error(.undefinedField, field: number, offset: 0) }
            guard let code = self.code(of: Array(open.bytes[..<place.lowerBound])) else {
                throw ISO8583Error(.wrongLength, field: number, offset: place.lowerBound)
            }
            message.set(number, code)
            return try codec.encode(message)
        } catch {
            throw .badRequest(reason: error.description)
        }
    }

    /// Whether the message carries the right code in its last field.
    package func verifies(_ message: Message, bytes: [UInt8], layout: [Int: Range<Int>]) -> Bool {
        let number = message.fields.keys.max() ?? 0
        guard number == Self.field(of: message), let place = layout[number], place.upperBound == bytes.count,
            let sent = message.bytes(number), let code = code(of: Array(bytes[..<place.lowerBound]))
        else { return false }
        return constantTimeEquals(sent, code)
    }

    private static func field(of message: Message) -> Int {
        message.fields.keys.contains { $0 > 64 } ? 128 : 64
    }

    /// Nil when the key has another length than the method takes.
    private func code(of bytes: [UInt8]) -> [UInt8]? {
        switch self {
        case .retail(let key): try? ISO9797Algorithm3(key: key).mac(of: bytes, padding: .method1)
        case .hmacSHA256(let key): (try? HMACSHA256.code(for: bytes, key: key)).map { Array($0.prefix(Self.length)) }
        }
    }
}
