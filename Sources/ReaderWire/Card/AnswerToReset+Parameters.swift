extension AnswerToReset {
    private var first: InterfaceGroup? { interfaceGroups.first }
    private var second: InterfaceGroup? { interfaceGroups.count > 1 ? interfaceGroups[1] : nil }

    /// The first group from the third on that TD(i-1) ties to protocol `number`.
    private func specificGroup(_ number: UInt8) -> InterfaceGroup? {
        interfaceGroups.dropFirst(2).first { $0.protocolNumber == number }
    }

    /// T of every protocol offered, in order, each once (ISO/IEC 7816-3, 8.2.3). T=15 is no protocol. Without a TD1
    /// the card offers T=0.
    public var protocolNumbers: [UInt8] {
        var numbers: [UInt8] = []
        for number in interfaceGroups.compactMap(\.protocolNumber) where number != 15 && !numbers.contains(number) {
            numbers.append(number)
        }
        return numbers.isEmpty ? [0] : numbers
    }

    /// The offered protocols that this software speaks, in the order of the card.
    public var offeredProtocols: [CardProtocol] { protocolNumbers.compactMap(CardProtocol.init(rawValue:)) }

    /// From TA2; nil when the card is in negotiable mode.
    public var specificMode: SpecificMode? {
        guard let ta2 = second?.ta else { return nil }
        return SpecificMode(
            protocolNumber: ta2 & 0x0F, mayChangeToNegotiable: ta2 & 0x80 == 0,
            usesInterfaceByteSpeed: ta2 & 0x10 == 0)
    }

    /// The protocol of TA2, else the first one offered that this software speaks; nil when there is none.
    public var defaultProtocol: CardProtocol? {
        if let specificMode { return specificMode.protocol }
        return offeredProtocols.first
    }

    /// Whether using `protocol` needs a PPS first: the card is negotiable and would start with another protocol
    /// (ISO/IEC 7816-3, 6.3.1).
    public func needsPPS(for protocol: CardProtocol) -> Bool {
        specificMode == nil && protocolNumbers.first != `protocol`.rawValue
    }

    /// Fi and Di codes; 11 when absent.
    public var ta1: UInt8 { first?.ta ?? 0x11 }

    public var offeredSpeed: TransmissionSpeed { TransmissionSpeed(ta1: ta1) }

    /// TC1, N: extra guard time in units; 255 has a meaning of its own in each protocol; 0 when absent.
    public var extraGuardTime: UInt8 { first?.tc ?? 0 }

    /// TC2, WI of T=0: 10 when absent or the reserved 0 (ISO/IEC 7816-3, 10.2).
    public var workWaitingInteger: UInt8 {
        guard let waiting = second?.tc, waiting != 0 else { return 10 }
        return waiting
    }

    /// IFSC of T=1, 1 ... 254 bytes: 32 when absent or a reserved value (ISO/IEC 7816-3, 11.4.2).
    public var informationFieldSizeCard: Int {
        guard let size = specificGroup(1)?.ta, size != 0, size != 0xFF else { return 32 }
        return Int(size)
    }

    private var waitingIntegers: UInt8 { specificGroup(1)?.tb ?? 0x4D }

    /// BWI of T=1; 4 when absent (ISO/IEC 7816-3, 11.4.3). Values over 9 are reserved.
    public var blockWaitingInteger: UInt8 { waitingIntegers >> 4 }

    /// CWI of T=1; 13 when absent (ISO/IEC 7816-3, 11.4.3).
    public var characterWaitingInteger: UInt8 { waitingIntegers & 0x0F }

    /// b1 of the first TC for T=1; LRC when absent (ISO/IEC 7816-3, 11.4.4).
    public var errorDetection: T1ErrorDetection { (specificGroup(1)?.tc ?? 0) & 1 == 1 ? .crc : .lrc }

    /// X of the first TA for T=15: 0 no clock stop, 1 low, 2 high, 3 either (ISO/IEC 7816-3, 8.3).
    public var clockStop: UInt8 { (specificGroup(15)?.ta ?? 0) >> 6 }

    /// BWT = 11 units + 2^BWI x 960 x 372 / f (ISO/IEC 7816-3, 11.4.3), rounded up. The unit is the longer of the
    /// initial and the offered one, so the time holds before and after a PPS.
    /// - Parameter clockHertz: Of the card clock; values under 1 count as 1.
    public func blockWaitingTimeNanoseconds(clockHertz: Int) -> Int {
        let unit = max(372, offeredSpeed.cyclesPerUnit ?? 372)
        return Self.nanoseconds(cycles: 11 * unit + (1 << Int(min(blockWaitingInteger, 9))) * 960 * 372, clockHertz)
    }

    /// WT = WI x 960 x Fi / f (ISO/IEC 7816-3, 10.2), rounded up, with the longer of the initial and the offered Fi.
    /// - Parameter clockHertz: Of the card clock; values under 1 count as 1.
    public func workWaitingTimeNanoseconds(clockHertz: Int) -> Int {
        let conversion = max(372, offeredSpeed.clockRateConversion ?? 372)
        return Self.nanoseconds(cycles: Int(workWaitingInteger) * 960 * conversion, clockHertz)
    }

    /// At most 255 x 960 x 2048 cycles, so the product with 10^9 stays under 2^63.
    private static func nanoseconds(cycles: Int, _ clockHertz: Int) -> Int {
        let hertz = max(1, clockHertz)
        let (quotient, remainder) = (cycles * 1_000_000_000).quotientAndRemainder(dividingBy: hertz)
        return remainder == 0 ? quotient : quotient + 1
    }
}
