/// Reads pairs of hexadecimal digits; spaces are allowed between bytes. Nil when anything else is found.
func bytes(fromHexadecimal text: some StringProtocol) -> [UInt8]? {
    var result: [UInt8] = []
    var high: UInt8?
    for character in text {
        if character == " ", high == nil { continue }
        guard character.isASCII, let digit = character.hexDigitValue, let value = UInt8(exactly: digit) else {
            return nil
        }
        if let first = high {
            result.append(first << 4 | value)
            high = nil
        } else {
            high = value
        }
    }
    return high == nil ? result : nil
}

/// Two capital hexadecimal digits for each byte, without spaces.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits: [Character] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "A", "B", "C", "D", "E", "F",
    ]
    var text = ""
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 0x0F)])
    }
    return text
}
