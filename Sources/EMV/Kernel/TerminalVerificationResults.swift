/// TVR, tag 95 (Book 3, Annex C5): what the terminal found, five bytes.
public struct TerminalVerificationResults: Sendable, Hashable {
    public private(set) var bytes: [UInt8] = [0, 0, 0, 0, 0]

    public init() {}

    /// One bit: byte 1 ... 5 and its mask.
    public struct Bit: Sendable, Hashable {
        let byte: Int
        let mask: UInt8

        public static let offlineDataAuthenticationNotPerformed = Bit(byte: 1, mask: 0x80)
        public static let iccDataMissing = Bit(byte: 1, mask: 0x20)
        public static let onExceptionFile = Bit(byte: 1, mask: 0x10)
        public static let applicationVersionsDiffer = Bit(byte: 2, mask: 0x80)
        public static let expired = Bit(byte: 2, mask: 0x40)
        public static let notYetEffective = Bit(byte: 2, mask: 0x20)
        public static let serviceNotAllowed = Bit(byte: 2, mask: 0x10)
        public static let newCard = Bit(byte: 2, mask: 0x08)
        public static let cardholderVerificationNotSuccessful = Bit(byte: 3, mask: 0x80)
        public static let unrecognisedCVM = Bit(byte: 3, mask: 0x40)
        public static let pinTryLimitExceeded = Bit(byte: 3, mask: 0x20)
        public static let pinRequiredNoPinPad = Bit(byte: 3, mask: 0x10)
        public static let pinNotEntered = Bit(byte: 3, mask: 0x08)
        public static let onlinePINEntered = Bit(byte: 3, mask: 0x04)
        public static let floorLimitExceeded = Bit(byte: 4, mask: 0x80)
        public static let lowerOfflineLimitExceeded = Bit(byte: 4, mask: 0x40)
        public static let upperOfflineLimitExceeded = Bit(byte: 4, mask: 0x20)
        public static let selectedRandomly = Bit(byte: 4, mask: 0x10)
        public static let merchantForcedOnline = Bit(byte: 4, mask: 0x08)
        public static let defaultTDOLUsed = Bit(byte: 5, mask: 0x80)
        public static let issuerAuthenticationFailed = Bit(byte: 5, mask: 0x40)
        public static let scriptFailedBeforeFinalAC = Bit(byte: 5, mask: 0x20)
        public static let scriptFailedAfterFinalAC = Bit(byte: 5, mask: 0x10)
    }

    public mutating func set(_ bit: Bit) {
        bytes[bit.byte - 1] |= bit.mask
    }

    public func contains(_ bit: Bit) -> Bool {
        bytes[bit.byte - 1] & bit.mask != 0
    }

    /// True when any bit of `code` (a five-byte action code) is set here too (Book 3, 10.7).
    public func matches(_ code: [UInt8]) -> Bool {
        zip(bytes, code).contains { $0 & $1 != 0 }
    }
}

/// TSI, tag 9B (Book 3, Annex C6): which functions were performed, two bytes.
public struct TransactionStatusInformation: Sendable, Hashable {
    public private(set) var bytes: [UInt8] = [0, 0]

    public init() {}

    public enum Function: UInt8, Sendable {
        case offlineDataAuthentication = 0x80
        case cardholderVerification = 0x40
        case cardRiskManagement = 0x20
        case issuerAuthentication = 0x10
        case terminalRiskManagement = 0x08
        case scriptProcessing = 0x04
    }

    public mutating func performed(_ function: Function) {
        bytes[0] |= function.rawValue
    }

    public func contains(_ function: Function) -> Bool {
        bytes[0] & function.rawValue != 0
    }
}
