/// Bytes from hexadecimal text; spaces and line ends are left out. Odd or foreign digits give an empty array, which no
/// expectation here accepts.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    guard digits.count % 2 == 0, digits.count == text.filter({ !$0.isWhitespace }).count else { return [] }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }.joined()
}

/// Hexadecimal text without its spaces, so that expectations can show where fields end.
func joined(_ text: String) -> String {
    text.filter { !$0.isWhitespace }
}
