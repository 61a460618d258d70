/// bMessageType (CCID 1.1, 6.1 to 6.3).
public enum CCIDMessageType {
    public enum Command: UInt8, Sendable, Hashable, CaseIterable {
        case setParameters = 0x61
        case iccPowerOn = 0x62
        case iccPowerOff = 0x63
        case getSlotStatus = 0x65
        case secure = 0x69
        case t0APDU = 0x6A
        case escape = 0x6B
        case getParameters = 0x6C
        case resetParameters = 0x6D
        case iccClock = 0x6E
        case xfrBlock = 0x6F
        case mechanical = 0x71
        case abort = 0x72
        case setDataRateAndClockFrequency = 0x73
    }

    public enum Response: UInt8, Sendable, Hashable, CaseIterable {
        case dataBlock = 0x80
        case slotStatus = 0x81
        case parameters = 0x82
        case escape = 0x83
        case dataRateAndClockFrequency = 0x84
    }

    public enum Notification: UInt8, Sendable, Hashable, CaseIterable {
        case notifySlotChange = 0x50
        case hardwareError = 0x51
    }
}
