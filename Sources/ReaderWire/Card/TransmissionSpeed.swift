/// Fi and Di as TA1 codes them (ISO/IEC 7816-3, 8.3, tables 7 and 8).
public struct TransmissionSpeed: Sendable, Hashable {
    /// The coded pair: Fi index in the high nibble, Di index in the low one.
    public var ta1: UInt8

    public init(ta1: UInt8) {
        self.ta1 = ta1
    }

    /// Fd = 372, Dd = 1: in force after a reset until something else is agreed.
    public static let initial = TransmissionSpeed(ta1: 0x11)

    private static let clockRateConversions: [Int?] = [
        372, 372, 558, 744, 1116, 1488, 1860, nil, nil, 512, 768, 1024, 1536, 2048, nil, nil,
    ]
    private static let maximumKilohertz: [Int?] = [
        4000, 5000, 6000, 8000, 12000, 16000, 20000, nil, nil, 5000, 7500, 10000, 15000, 20000, nil, nil,
    ]
    private static let baudRateAdjustments: [Int?] = [
        nil, 1, 2, 4, 8, 16, 32, 64, 12, 20, nil, nil, nil, nil, nil, nil,
    ]

    /// Fi in clock cycles; nil for the reserved codes.
    public var clockRateConversion: Int? { Self.clockRateConversions[Int(ta1 >> 4)] }

    /// Di; nil for the reserved codes.
    public var baudRateAdjustment: Int? { Self.baudRateAdjustments[Int(ta1 & 0x0F)] }

    /// The highest clock frequency the card supports, in hertz; nil for the reserved codes.
    public var maximumClockHertz: Int? { Self.maximumKilohertz[Int(ta1 >> 4)].map { $0 * 1000 } }

    /// Clock cycles of one elementary time unit, rounded up; nil when a code is reserved.
    public var cyclesPerUnit: Int? {
        guard let clockRateConversion, let baudRateAdjustment else { return nil }
        return (clockRateConversion + baudRateAdjustment - 1) / baudRateAdjustment
    }
}
