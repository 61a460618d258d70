/// The card chip's own DES (FIPS 46-3), one block at a time, straight from the standard's tables. It is deliberately not
/// the library that the drivers and the issuer use: a cryptogram that both sides agree on was computed twice.
struct DESBlock {
    private let roundKeys: [UInt64]

    /// `key`: 8 bytes, parity bits ignored. Shorter keys are filled with zeros.
    init(key: some Sequence<UInt8>) {
        let chosen = Self.permute(Self.word(key), DESTables.permutedChoice1, width: 64)
        var left = chosen >> 28
        var right = chosen & 0x0FFF_FFFF
        roundKeys = DESTables.shifts.map { shift in
            left = Self.rotate(left, by: shift)
            right = Self.rotate(right, by: shift)
            return Self.permute(left << 28 | right, DESTables.permutedChoice2, width: 56)
        }
    }

    func encrypt(_ block: UInt64) -> UInt64 { run(block, keys: roundKeys) }
    func decrypt(_ block: UInt64) -> UInt64 { run(block, keys: roundKeys.reversed()) }

    /// The first eight bytes, big-endian.
    static func word(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var result: UInt64 = 0
        var count = 0
        for byte in bytes.prefix(8) {
            result = result << 8 | UInt64(byte)
            count += 1
        }
        return count == 0 ? 0 : result << UInt64(8 * (8 - count))
    }

    static func bytes(_ word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
    }

    private func run(_ block: UInt64, keys: [UInt64]) -> UInt64 {
        let start = Self.permute(block, DESTables.initialPermutation, width: 64)
        var left = UInt32(truncatingIfNeeded: start >> 32)
        var right = UInt32(truncatingIfNeeded: start)
        for key in keys {
            (left, right) = (right, left ^ Self.cipher(right, key))
        }
        return Self.permute(UInt64(right) << 32 | UInt64(left), DESTables.finalPermutation, width: 64)
    }

    private static func cipher(_ half: UInt32, _ key: UInt64) -> UInt32 {
        let mixed = permute(UInt64(half), DESTables.expansion, width: 32) ^ key
        var substituted: UInt64 = 0
        for box in 0..<8 {
            let six = Int(mixed >> UInt64(42 - 6 * box)) & 0x3F
            let row = (six >> 4 & 2) | (six & 1)
            let column = six >> 1 & 0x0F
            substituted = substituted << 4 | UInt64(DESTables.substitution[box * 64 + row * 16 + column])
        }
        return UInt32(truncatingIfNeeded: permute(substituted, DESTables.roundPermutation, width: 32))
    }

    private static func rotate(_ half: UInt64, by shift: Int) -> UInt64 {
        (half << UInt64(shift) | half >> UInt64(28 - shift)) & 0x0FFF_FFFF
    }

    /// The standard numbers bits from 1 at the left.
    private static func permute(_ value: UInt64, _ table: [UInt8], width: UInt8) -> UInt64 {
        var result: UInt64 = 0
        for position in table {
            result = result << 1 | (value >> UInt64(width - position) & 1)
        }
        return result
    }
}
