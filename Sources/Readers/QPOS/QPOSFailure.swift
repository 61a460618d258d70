public import ReaderWire

/// A status of the reader that ends a command without an answer.
public struct QPOSFailure: Error, Sendable, Hashable {
    public let status: QPOSStatus
    /// What was being done.
    public let operation: String

    /// In the words of every reader; the id stays readable in the detail: `id 33, EMV terminated`.
    public var readerError: ReaderError {
        let id = hex2(status.rawValue).uppercased()
        return ReaderError(
            code, during: operation, detail: status.isKnown ? "id \(id), \(status.name)" : "id \(id), not published")
    }

    private var code: ReaderError.Code {
        switch status.rawValue {
        case 0x25: .silent
        case 0x26, 0x29, 0x37...0x40, 0x46: .hardwareFault
        case 0x27: .linkFailed
        case 0x28: .cancelled
        case 0x30, 0x31: .cardMute
        case 0x32...0x34, 0x44, 0x45, 0x47, 0x48: .cardUnusable
        case 0x35, 0x49: .unsupported
        case 0x51: .cardRemoved
        default: .protocolViolation
        }
    }
}

/// What a status means for a payment whose card is there.
enum QPOSCardTrouble {
    case ended(ReaderStop.Reason)
    /// The chip cannot be read.
    case chipFailed

    /// Nil for what is no trouble of the card.
    init?(_ status: QPOSStatus) {
        switch status.rawValue {
        case 0x28: self = .ended(.cancelledByCardholder)
        case 0x30, 0x31, 0x47: self = .chipFailed
        case 0x32, 0x33, 0x34, 0x48: self = .ended(.cardFault)
        case 0x44, 0x45: self = .ended(.notAccepted)
        default: return nil
        }
    }
}
