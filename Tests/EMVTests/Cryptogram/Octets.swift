import Crypto
import EMV

/// Bytes from hex digits; white space is skipped. A wrong digit gives an empty array, which no vector expects.
func octets(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.map(\.hexDigitValue)
    guard digits.count % 2 == 0, !digits.contains(nil) else { return [] }
    let values = digits.compactMap { $0 }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}

func key(_ text: String) -> SecretBytes { SecretBytes(octets(text)) }

func accountNumber(_ digits: String) -> PAN? { PAN(digits: digits.compactMap { $0.wholeNumberValue.map(UInt8.init) }) }
