import Crypto
package import ISO8583

/// An enciphered PIN in a message: field 52 has the block, 53 says how it was made, and 120 (ours) holds the key serial
/// number where there is one. See docs/iso8583.md.
///
/// Field 53 is `AAFFKK` and ten zeros: the cipher (01 TDES, 02 AES), the format of ISO 9564-1, the number of the zone
/// key (00 with a key serial number).
package enum PINFields {
    private static let serialNumberMark = "KSN"

    package static func write(_ block: PINBlock, to message: inout Message) {
        message.set(52, block.withBytes { Array($0) })
        var index = 0
        switch block.key {
        case .zone(let number): index = number
        case .derived(let number):
            message.set(120, serialNumberMark + String(decoding: HexDigits.encode(number), as: UTF8.self))
        }
        let fields = [block.format == .iso4 ? 2 : 1, block.format.rawValue, index, 0, 0, 0, 0, 0]
        message.set(53, fields.map { TraceRecord.padded($0, 2) }.joined())
    }

    package enum Reading {
        case absent
        case block(PINBlock)
        /// Something of it is missing or contradicts the rest.
        case malformed
    }

    package static func read(_ message: Message) -> Reading {
        guard var content = message.bytes(52) else {
            return message[52] == nil && message[53] == nil && message[120] == nil ? .absent : .malformed
        }
        defer { wipe(&content) }
        guard let control = message.text(53), control.utf8.count == 16, control.hasSuffix("0000000000"),
            let cipher = Int(control.prefix(2)), let format = Int(control.dropFirst(2).prefix(2)),
            let index = Int(control.dropFirst(4).prefix(2)), let format = PINBlock.Format(rawValue: format),
            cipher == (format == .iso4 ? 2 : 1), let key = key(message, index),
            let block = PINBlock(enciphered: SecretBytes(content), format: format, key: key)
        else { return .malformed }
        return .block(block)
    }

    private static func key(_ message: Message, _ index: Int) -> PINBlock.Key? {
        guard let text = message.text(120) else { return .zone(index: index) }
        guard index == 0, text.hasPrefix(serialNumberMark),
            let number = HexDigits.decode(Array(text.dropFirst(serialNumberMark.count).utf8))
        else { return nil }
        return .derived(serialNumber: number)
    }
}
