public import Transport

/// The speed of a CH340 or CH341, as the registers 12, 13 (prescaler, divisor) and 0F, 2C carry it.
public struct CH34xDivisor: Sendable, Hashable {
    /// For the registers 1312: the divisor, negative, in the high byte; bit 7 makes the chip send what it has at once; the
    /// clock in bits 0 to 2.
    public let clockAndDivisor: UInt16
    /// For the registers 0F2C: the divisor's fraction, which the chip does not count with.
    public let fraction: UInt16

    /// - Throws: when no divisor comes within 3 %.
    public init(for baud: BaudRate, on chip: String) throws(SerialChipRefusal) {
        try baud.require(46...6_000_000, on: chip)
        let (factor, clock) = Self.factor(for: baud.bitsPerSecond)
        let negative = UInt16(truncatingIfNeeded: 0x1_0000 - factor)
        clockAndDivisor = negative & 0xFF00 | 0x80 | clock
        fraction = negative & 0x00FF
        _ = try rate.checked(for: baud, on: chip)
    }

    /// The vendor's way: a base that has the rounding in it, then the highest clock whose divisor fits.
    private static func factor(for speed: UInt32) -> (factor: UInt32, clock: UInt16) {
        // The one usual speed that divides the finer clock of 12 MHz better.
        if speed == 921_600 { return (0x1_0000 - 0xF300, 7) }
        var factor = 1_532_620_800 / speed
        var clock: UInt16 = 3
        while factor > 0xFFF0, clock > 0 {
            factor >>= 3
            clock -= 1
        }
        return (factor, clock)
    }

    /// 48 MHz over 2 to the (12 - 3 * bits 0-1 - bit 2), over the divisor.
    public var rate: ChipRate {
        let shift = 12 - 3 * (clockAndDivisor & 3) - (clockAndDivisor >> 2 & 1)
        let divisor = 0x100 - UInt64(clockAndDivisor >> 8)
        return ChipRate(clock: 48_000_000, divisor: divisor << UInt64(shift))
    }
}
