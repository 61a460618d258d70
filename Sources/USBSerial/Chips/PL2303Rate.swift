public import Transport

/// The speed of a PL2303 as its line coding carries it: as it is when the chip knows it by name, else a divisor, told by
/// bit 31.
public struct PL2303Rate: Sendable, Hashable {
    /// The speed, or bit 31 and the divisor: mantissa in bits 0-8, power of four in 9-11.
    public let word: UInt32

    /// 12 MHz times 32.
    private static let clock: UInt64 = 384_000_000

    private static let known: Set<UInt32> = [
        75, 150, 300, 600, 1200, 1800, 2400, 3600, 4800, 7200, 9600, 14_400, 19_200, 28_800, 38_400, 57_600, 115_200,
        128_000, 134_400, 161_280, 201_600, 230_400, 268_800, 403_200, 460_800, 614_400, 806_400, 921_600, 1_228_800,
        2_457_600, 3_000_000, 6_000_000,
    ]

    /// What was read back from a chip.
    init(word: UInt32) {
        self.word = word
    }

    /// - Throws: when no divisor comes within 3 %.
    public init(for baud: BaudRate, on chip: String) throws(SerialChipRefusal) {
        if Self.known.contains(baud.bitsPerSecond) {
            word = baud.bitsPerSecond
            return
        }
        try baud.require(46...6_000_000, on: chip)
        var mantissa = UInt32(Self.clock / UInt64(baud.bitsPerSecond))
        var exponent: UInt32 = 0
        while mantissa >= 512, exponent < 7 {
            mantissa >>= 2
            exponent += 1
        }
        word = 1 << 31 | exponent << 9 | mantissa
        _ = try rate.checked(for: baud, on: chip)
    }

    public var rate: ChipRate {
        guard word >> 31 == 1 else { return ChipRate(clock: UInt64(word), divisor: 1) }
        let (mantissa, exponent) = (UInt64(word & 0x1FF), UInt64(word >> 9 & 7))
        return ChipRate(clock: Self.clock, divisor: mantissa << (2 * exponent))
    }

    var littleEndian: [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
}
