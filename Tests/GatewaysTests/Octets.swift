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

/// Steele, Lea and Flood's generator: small, and the same everywhere from the same seed.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
