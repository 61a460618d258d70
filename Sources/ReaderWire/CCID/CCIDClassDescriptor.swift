/// The smart-card device class descriptor (CCID 1.1, 5.1): 54 bytes, type 21, among an interface's extra bytes.
public struct CCIDClassDescriptor: Sendable, Hashable {
    public static let length = 54
    public static let descriptorType: UInt8 = 0x21

    /// bcdCCID: 0x0110 = 1.10.
    public let version: UInt16
    /// bMaxSlotIndex + 1.
    public let slotCount: Int
    /// bVoltageSupport: 1 = 5 V, 2 = 3 V, 4 = 1.8 V.
    public let voltages: UInt8
    /// dwProtocols: bit 0 T=0, bit 1 T=1.
    public let protocols: UInt32
    /// dwDefaultClock and dwMaximumClock, kHz.
    public let defaultClock: UInt32
    public let maximumClock: UInt32
    /// dwDataRate and dwMaxDataRate, bit/s.
    public let dataRate: UInt32
    public let maximumDataRate: UInt32
    /// dwMaxIFSD, bytes.
    public let maximumIFSD: Int
    public let features: Features
    /// dwMaxCCIDMessageLength, header included.
    public let maximumMessageLength: Int
    /// bClassGetResponse and bClassEnvelope: FF = the class of the command.
    public let classGetResponse: UInt8
    public let classEnvelope: UInt8
    /// bPINSupport: 1 = verification, 2 = modification.
    public let pinSupport: UInt8
    /// bMaxCCIDBusySlots.
    public let maximumBusySlots: UInt8

    /// dwFeatures.
    public struct Features: OptionSet, Sendable, Hashable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let automaticParameterConfiguration = Features(rawValue: 0x02)
        public static let automaticActivation = Features(rawValue: 0x04)
        public static let automaticVoltageSelection = Features(rawValue: 0x08)
        public static let automaticClockFrequencyChange = Features(rawValue: 0x10)
        public static let automaticBaudRateChange = Features(rawValue: 0x20)
        public static let automaticParametersNegotiation = Features(rawValue: 0x40)
        public static let automaticPPS = Features(rawValue: 0x80)
        public static let clockStop = Features(rawValue: 0x100)
        public static let otherNADAccepted = Features(rawValue: 0x200)
        public static let automaticIFSDExchange = Features(rawValue: 0x400)
    }

    public enum ExchangeLevel: String, Sendable, Hashable {
        case character, tpdu, shortAPDU, extendedAPDU
    }

    /// dwFeatures & 00070000.
    public var exchangeLevel: ExchangeLevel {
        switch features.rawValue & 0x0007_0000 {
        case 0x0001_0000: .tpdu
        case 0x0002_0000: .shortAPDU
        case 0x0004_0000: .extendedAPDU
        default: .character
        }
    }

    /// Nil when the bytes are not such a descriptor.
    public init?(parsing bytes: [UInt8]) {
        guard bytes.count >= Self.length, bytes[0] >= Self.length, bytes[1] == Self.descriptorType else { return nil }
        func u32(_ offset: Int) -> UInt32 {
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
        }
        version = UInt16(bytes[2]) | UInt16(bytes[3]) << 8
        slotCount = Int(bytes[4]) + 1
        voltages = bytes[5]
        protocols = u32(6)
        defaultClock = u32(10)
        maximumClock = u32(14)
        dataRate = u32(19)
        maximumDataRate = u32(23)
        maximumIFSD = Int(u32(28))
        features = Features(rawValue: u32(40))
        maximumMessageLength = Int(u32(44))
        classGetResponse = bytes[48]
        classEnvelope = bytes[49]
        pinSupport = bytes[52]
        maximumBusySlots = bytes[53]
    }

    /// The first one among an interface's extra descriptors; nil when there is none.
    public static func find(in extra: [UInt8]) -> CCIDClassDescriptor? {
        var start = 0
        while start + 2 <= extra.count {
            let length = Int(extra[start])
            guard length >= 2, start + length <= extra.count else { return nil }
            if let found = CCIDClassDescriptor(parsing: Array(extra[start..<start + length])) { return found }
            start += length
        }
        return nil
    }
}
