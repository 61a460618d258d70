/// Why a protocol data structure cannot be read.
public enum ProtocolParametersError: String, Error, Sendable, Hashable {
    /// Not 5 bytes for T=0 or 7 bytes for T=1.
    case wrongLength
    /// bProtocolNum is neither 0 nor 1.
    case unknownProtocol
}

/// abProtocolDataStructure of PC_to_RDR_SetParameters and RDR_to_PC_Parameters (CCID 1.1, 6.1.7 and 6.2.3): 5 bytes
/// for T=0, 7 bytes for T=1.
public struct ProtocolParameters: Sendable, Hashable {
    public var `protocol`: CardProtocol
    /// bmFindexDindex: Fi and Di codes, as in TA1.
    public var speed: TransmissionSpeed
    /// b2 of bmTCCKS: the card uses the inverse convention.
    public var usesInverseConvention: Bool
    /// b1 of bmTCCKST1. T=0 has no check and ignores it.
    public var errorDetection: T1ErrorDetection
    /// bGuardTime: N, in units.
    public var extraGuardTime: UInt8
    /// bWaitingIntegerT0: WI; or bmWaitingIntegersT1: BWI in the high nibble, CWI in the low one.
    public var waitingIntegers: UInt8
    /// bClockStop: 0 not allowed, 1 low, 2 high, 3 either.
    public var clockStop: UInt8
    /// bIFSC, 1 ... 254 bytes. T=0 ignores it.
    public var informationFieldSizeCard: UInt8
    /// bNadValue. T=0 ignores it.
    public var nodeAddress: UInt8

    /// - Parameter usesDefaultSpeed: Whether Fi = 372 and Di = 1 stay in force, because no PPS succeeded and the card is
    ///   not in specific mode; otherwise TA1 is used.
    public init(atr: AnswerToReset, protocol: CardProtocol, usesDefaultSpeed: Bool) {
        self.protocol = `protocol`
        speed = usesDefaultSpeed ? .initial : atr.offeredSpeed
        usesInverseConvention = atr.convention == .inverse
        extraGuardTime = atr.extraGuardTime
        clockStop = atr.clockStop
        nodeAddress = 0
        switch `protocol` {
        case .t0:
            errorDetection = .lrc
            waitingIntegers = atr.workWaitingInteger
            informationFieldSizeCard = 32
        case .t1:
            errorDetection = atr.errorDetection
            waitingIntegers = atr.blockWaitingInteger << 4 | atr.characterWaitingInteger
            informationFieldSizeCard = UInt8(clamping: atr.informationFieldSizeCard)
        }
    }

    /// - Parameter protocolNumber: bProtocolNum of the message that carried the bytes.
    /// - Throws: `ProtocolParametersError`.
    public init(parsing bytes: [UInt8], protocolNumber: UInt8) throws(ProtocolParametersError) {
        guard let `protocol` = CardProtocol(rawValue: protocolNumber) else { throw .unknownProtocol }
        guard bytes.count == (`protocol` == .t0 ? 5 : 7) else { throw .wrongLength }
        self.protocol = `protocol`
        speed = TransmissionSpeed(ta1: bytes[0])
        usesInverseConvention = bytes[1] & 0x02 != 0
        errorDetection = `protocol` == .t1 && bytes[1] & 0x01 != 0 ? .crc : .lrc
        extraGuardTime = bytes[2]
        waitingIntegers = bytes[3]
        clockStop = bytes[4] & 0x03
        informationFieldSizeCard = `protocol` == .t1 ? bytes[5] : 32
        nodeAddress = `protocol` == .t1 ? bytes[6] : 0
    }

    /// bProtocolNum.
    public var protocolNumber: UInt8 { `protocol`.rawValue }

    /// 5 bytes for T=0, 7 for T=1.
    public var bytes: [UInt8] {
        let convention: UInt8 = usesInverseConvention ? 0x02 : 0
        switch `protocol` {
        case .t0:
            return [speed.ta1, convention, extraGuardTime, waitingIntegers, clockStop]
        case .t1:
            // b5 is always set (6.1.7).
            let check: UInt8 = 0x10 | convention | (errorDetection == .crc ? 0x01 : 0)
            return [
                speed.ta1, check, extraGuardTime, waitingIntegers, clockStop, informationFieldSizeCard, nodeAddress,
            ]
        }
    }
}
