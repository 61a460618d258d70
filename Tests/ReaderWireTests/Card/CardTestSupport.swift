import ReaderWire

/// xorshift64*: the same numbers for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func bytes(upTo limit: Int) -> [UInt8] {
        (0..<Int.random(in: 0...limit, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}

/// Bytes from hexadecimal digits; blanks are skipped.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// `bytes` and their exclusive-or: an LRC, a PCK, and, without TS, a TCK.
func checked(_ bytes: [UInt8]) -> [UInt8] { bytes + [bytes.reduce(0, ^)] }

/// A block with NAD 00 and an LRC, from PCB and information field.
func block(_ text: String) -> [UInt8] {
    let bytes = hex(text)
    return checked([0, bytes[0], UInt8(bytes.count - 1)] + bytes.dropFirst())
}

/// The engine sends such a block.
func sends(_ text: String, times multiplier: Int = 1) -> T1Engine.Action {
    .send(block(text), waitingTimeMultiplier: multiplier)
}
