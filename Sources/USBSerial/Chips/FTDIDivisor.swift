public import Transport

/// The speed of an FTDI chip, as its SET_BAUD_RATE request carries it (FTDI AN232B-05; for the H types AN_120).
///
/// The divisor counts eighths of a clock: 3 MHz, or with the H types' fast clock 12 MHz. Below 2 it can only be 1
/// (written 0) and 1 1/2 (written 1). Its whole part has 14 bits.
public struct FTDIDivisor: Sendable, Hashable {
    /// In eighths: 8, 12, or 16 to 131071.
    public let eighths: UInt32
    /// The clock of 12 MHz (120 MHz over ten samples), instead of 3 MHz (48 MHz over sixteen).
    public let isFast: Bool

    private static let largest: UInt32 = 0x3FFF << 3 | 7

    private init(eighths: UInt32, isFast: Bool) {
        self.eighths = eighths
        self.isFast = isFast
    }

    /// The nearest divisor for a speed. The fast clock serves where the other does not come close enough.
    ///
    /// - Throws: when none comes within 3 %.
    public init(for baud: BaudRate, hasFastClock: Bool, on chip: String) throws(SerialChipRefusal) {
        let usual = Self.nearest(to: baud, isFast: false)
        if hasFastClock, !usual.rate.isClose(to: baud) {
            self = Self.nearest(to: baud, isFast: true)
        } else {
            self = usual
        }
        _ = try rate.checked(for: baud, on: chip)
    }

    public var rate: ChipRate {
        ChipRate(clock: Self.clock(isFast), divisor: UInt64(eighths))
    }

    /// The low 14 bits the whole part, bits 14 and 15 a part of the code of the eighths.
    public var value: UInt16 {
        let whole: UInt16 =
            switch eighths {
            case 8: 0
            case 12: 1
            default: UInt16(truncatingIfNeeded: eighths >> 3)
            }
        return whole | code << 14
    }

    /// Bit 0 the rest of the code, bit 1 the fast clock.
    public var index: UInt16 {
        code >> 2 | (isFast ? 2 : 0)
    }

    /// Three bits for the eighths, in an order of their own: 0, 1/2, 1/4, 1/8, 3/8, 5/8, 6/8, 7/8.
    private var code: UInt16 {
        if eighths < 16 { return 0 }
        let order: [UInt32] = [0, 4, 2, 1, 3, 5, 6, 7]
        return UInt16(order.firstIndex(of: eighths & 7) ?? 0)
    }

    /// Eighths of a cycle a second.
    private static func clock(_ isFast: Bool) -> UInt64 {
        isFast ? 96_000_000 : 24_000_000
    }

    private static func nearest(to baud: BaudRate, isFast: Bool) -> Self {
        let speed = UInt64(baud.bitsPerSecond)
        let eighths = UInt32(clamping: (clock(isFast) + speed / 2) / speed)
        if eighths >= 16 { return Self(eighths: min(eighths, largest), isFast: isFast) }
        let few = [8, 12, 16].map { Self(eighths: $0, isFast: isFast) }
        return few.dropFirst().reduce(few[0]) { $1.rate.isNearer(to: baud, than: $0.rate) ? $1 : $0 }
    }
}
