/// One entry of the terminal's AID list (Book 1, 12.2) with what the kernel needs for it.
public struct TerminalApplication: Sendable, Hashable {
    /// 5 ... 16 bytes.
    public var aid: [UInt8]
    /// True: a card's DF name that only begins with `aid` is accepted, too (application selection indicator).
    public var allowsPartialSelection: Bool
    /// Tag 9F09, two bytes.
    public var versionNumber: [UInt8]
    /// Other versions whose cards the terminal takes as well, two bytes each (Book 3, 10.4.1).
    public var otherVersionNumbers: [[UInt8]]
    /// Terminal action codes, five bytes each (Book 3, 10.7).
    public var actionCodeDenial: [UInt8]
    public var actionCodeOnline: [UInt8]
    public var actionCodeDefault: [UInt8]
    /// Tag 9F1B, minor units; zero sends everything to the issuer.
    public var floorLimit: Int64
    /// Random selection (Book 3, 10.6.2): minor units, 0 ... floorLimit.
    public var threshold: Int64
    /// 0 ... 99 and `targetPercentage` ... 99.
    public var targetPercentage: Int
    public var maximumTargetPercentage: Int
    /// Used when the card has no 9F49.
    public var defaultDDOL: [UInt8]
    /// Used when the card has no 97.
    public var defaultTDOL: [UInt8]

    public init(
        aid: [UInt8], allowsPartialSelection: Bool = true, versionNumber: [UInt8],
        otherVersionNumbers: [[UInt8]] = [], actionCodeDenial: [UInt8] = [0, 0, 0, 0, 0],
        actionCodeOnline: [UInt8] = standardActionCode,
        actionCodeDefault: [UInt8] = standardActionCode, floorLimit: Int64 = 0, threshold: Int64 = 0,
        targetPercentage: Int = 0, maximumTargetPercentage: Int = 0, defaultDDOL: [UInt8] = standardDDOL,
        defaultTDOL: [UInt8] = []
    ) {
        self.aid = aid
        self.allowsPartialSelection = allowsPartialSelection
        self.versionNumber = versionNumber
        self.otherVersionNumbers = otherVersionNumbers
        self.actionCodeDenial = actionCodeDenial
        self.actionCodeOnline = actionCodeOnline
        self.actionCodeDefault = actionCodeDefault
        self.floorLimit = floorLimit
        self.threshold = threshold
        self.targetPercentage = targetPercentage
        self.maximumTargetPercentage = maximumTargetPercentage
        self.defaultDDOL = defaultDDOL
        self.defaultTDOL = defaultTDOL
    }

    /// Authentication not performed or failed: the least that a terminal's Online and Default codes should say.
    public static let standardActionCode: [UInt8] = [0xCC, 0, 0, 0, 0]
    /// The unpredictable number alone (Book 2, 6.5.1).
    public static let standardDDOL: [UInt8] = [0x9F, 0x37, 0x04]

    /// The registered AIDs of the brands a kiosk in Mexico meets.
    public static let common: [TerminalApplication] = [
        TerminalApplication(
            aid: [0xA0, 0, 0, 0, 0x03, 0x10, 0x10], versionNumber: [0x00, 0x96], otherVersionNumbers: [[0x00, 0x8C]]),
        TerminalApplication(
            aid: [0xA0, 0, 0, 0, 0x03, 0x20, 0x10], versionNumber: [0x00, 0x96], otherVersionNumbers: [[0x00, 0x8C]]),
        TerminalApplication(aid: [0xA0, 0, 0, 0, 0x04, 0x10, 0x10], versionNumber: [0x00, 0x02]),
        TerminalApplication(aid: [0xA0, 0, 0, 0, 0x04, 0x30, 0x60], versionNumber: [0x00, 0x02]),
        TerminalApplication(aid: [0xA0, 0, 0, 0, 0x25, 0x01], versionNumber: [0x00, 0x01]),
    ]
}
