/// What a card answered to a PPS request (ISO/IEC 7816-3, 9.3).
public enum PPSOutcome: Sendable, Hashable {
    /// The request came back unchanged: protocol and speed are in force.
    case agreed
    /// The protocol is in force, the speed was not taken up: Fi = 372 and Di = 1 stay.
    case agreedAtInitialSpeed
    /// Not an answer to this request: the card must be reset.
    case failed
}

/// Protocol and parameter selection (ISO/IEC 7816-3, 9): PPSS, PPS0, PPS1 if a speed is asked for, PCK.
public struct PPSRequest: Sendable, Hashable {
    public var `protocol`: CardProtocol
    /// PPS1: Fi and Di codes as in TA1; nil keeps Fi = 372 and Di = 1.
    public var ta1: UInt8?

    public init(protocol: CardProtocol, ta1: UInt8? = nil) {
        self.protocol = `protocol`
        self.ta1 = ta1
    }

    /// 3 or 4 bytes.
    public var bytes: [UInt8] { Self.message(protocol: `protocol`, ta1: ta1) }

    private static func message(protocol: CardProtocol, ta1: UInt8?) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, `protocol`.rawValue | (ta1 == nil ? 0 : 0x10)]
        if let ta1 { bytes.append(ta1) }
        bytes.append(bytes.reduce(0, ^))
        return bytes
    }

    /// Every other byte sequence than the two that clause 9.3 allows is a failure.
    public func outcome(of response: [UInt8]) -> PPSOutcome {
        if response == bytes { return .agreed }
        if response == Self.message(protocol: `protocol`, ta1: nil) { return .agreedAtInitialSpeed }
        return .failed
    }

    /// Whether everything asked for is in force, the speed included. See `outcome(of:)` for a card that takes the
    /// protocol but not the speed.
    public func accepts(_ response: [UInt8]) -> Bool { outcome(of: response) == .agreed }
}
