/// Bytes as hexadecimal text.
enum HexText {
    /// The value of a digit of either case; nil for anything else.
    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Nil unless there are only digits.
    static func digits(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap(digit)
        return digits.count == text.utf8.count ? digits : nil
    }

    /// Two digits a byte, upper case.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }, as: UTF8.self)
    }
}
