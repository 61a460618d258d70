import BERTLV

/// The name that swift-testing has too.
typealias ObjectTag = BERTLV.Tag

/// Bytes from hex digits; white space is skipped. A wrong digit gives an empty array, which no vector expects.
func octets(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.map(\.hexDigitValue)
    guard digits.count % 2 == 0, !digits.contains(nil) else { return [] }
    let values = digits.compactMap { $0 }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}
