/// bError of a failed command (CCID 1.1, table 6.2-2), by its standard name.
public enum CCIDSlotError: Sendable, Hashable {
    case commandAborted
    case iccMute
    case transferParityError
    case transferOverrun
    case hardwareError
    case badATRTS
    case badATRTCK
    case iccProtocolNotSupported
    case iccClassNotSupported
    case procedureByteConflict
    case deactivatedProtocol
    case busyWithAutoSequence
    case pinTimeout
    case pinCancelled
    case commandSlotBusy
    /// 81 ... C0: the vendor's own.
    case userDefined(UInt8)
    /// 01 ... 7F: the offset of the message byte that is not supported or wrong; 05 means that the slot does not exist.
    case badParameter(offset: UInt8)
    case commandNotSupported
    /// Everything that the standard leaves open.
    case reserved(UInt8)

    public init(_ byte: UInt8) {
        switch byte {
        case 0xFF: self = .commandAborted
        case 0xFE: self = .iccMute
        case 0xFD: self = .transferParityError
        case 0xFC: self = .transferOverrun
        case 0xFB: self = .hardwareError
        case 0xF8: self = .badATRTS
        case 0xF7: self = .badATRTCK
        case 0xF6: self = .iccProtocolNotSupported
        case 0xF5: self = .iccClassNotSupported
        case 0xF4: self = .procedureByteConflict
        case 0xF3: self = .deactivatedProtocol
        case 0xF2: self = .busyWithAutoSequence
        case 0xF0: self = .pinTimeout
        case 0xEF: self = .pinCancelled
        case 0xE0: self = .commandSlotBusy
        case 0x81...0xC0: self = .userDefined(byte)
        case 0x01...0x7F: self = .badParameter(offset: byte)
        case 0x00: self = .commandNotSupported
        default: self = .reserved(byte)
        }
    }

    /// The name in the standard.
    public var name: String {
        switch self {
        case .commandAborted: "CMD_ABORTED"
        case .iccMute: "ICC_MUTE"
        case .transferParityError: "XFR_PARITY_ERROR"
        case .transferOverrun: "XFR_OVERRUN"
        case .hardwareError: "HW_ERROR"
        case .badATRTS: "BAD_ATR_TS"
        case .badATRTCK: "BAD_ATR_TCK"
        case .iccProtocolNotSupported: "ICC_PROTOCOL_NOT_SUPPORTED"
        case .iccClassNotSupported: "ICC_CLASS_NOT_SUPPORTED"
        case .procedureByteConflict: "PROCEDURE_BYTE_CONFLICT"
        case .deactivatedProtocol: "DEACTIVATED_PROTOCOL"
        case .busyWithAutoSequence: "BUSY_WITH_AUTO_SEQUENCE"
        case .pinTimeout: "PIN_TIMEOUT"
        case .pinCancelled: "PIN_CANCELLED"
        case .commandSlotBusy: "CMD_SLOT_BUSY"
        case .userDefined(let byte): "USER_DEFINED_\(String(byte, radix: 16, uppercase: true))"
        case .badParameter(let offset): "BAD_PARAMETER_\(offset)"
        case .commandNotSupported: "CMD_NOT_SUPPORTED"
        case .reserved(let byte): "RESERVED_\(String(byte, radix: 16, uppercase: true))"
        }
    }

    /// What it means, for people.
    public var sentence: String {
        switch self {
        case .commandAborted: "The host aborted the command."
        case .iccMute: "The card does not answer in time."
        case .transferParityError: "A parity error occurred while talking to the card."
        case .transferOverrun: "The reader lost bytes while talking to the card."
        case .hardwareError: "The reader has a hardware error."
        case .badATRTS: "The first byte of the card's ATR is wrong."
        case .badATRTCK: "The check byte of the card's ATR is wrong."
        case .iccProtocolNotSupported: "The reader does not support the card's protocol."
        case .iccClassNotSupported: "The reader does not support the card's voltage class."
        case .procedureByteConflict: "The card answered a procedure byte that the reader cannot follow."
        case .deactivatedProtocol: "The requested protocol is deactivated."
        case .busyWithAutoSequence: "The reader is busy with its automatic sequence."
        case .pinTimeout: "No PIN was entered in time."
        case .pinCancelled: "The PIN entry was cancelled."
        case .commandSlotBusy: "The slot is still busy with the command before."
        case .userDefined: "The reader reports an error of its vendor's own."
        case .badParameter(5): "The reader has no such slot."
        case .badParameter(let offset): "The reader does not accept byte \(offset) of the message."
        case .commandNotSupported: "The reader does not support the command."
        case .reserved: "The reader reports an error that the standard leaves open."
        }
    }
}
