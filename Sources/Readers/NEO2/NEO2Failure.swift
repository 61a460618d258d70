public import ReaderWire

/// A status byte that is no answer to what was asked.
public struct NEO2Failure: Error, Sendable, Hashable {
    public let status: NEO2Status
    /// What was being done.
    public let operation: String

    /// In the words of every reader; the byte stays readable in the detail: `status 0B, command not allowed`.
    public var readerError: ReaderError {
        let byte = hex2(status.rawValue).uppercased()
        let detail = status.isKnown ? "status \(byte), \(status.name)" : "status \(byte), not published"
        return ReaderError(code, during: operation, detail: detail)
    }

    private var code: ReaderError.Code {
        switch status.rawValue {
        case 0x02, 0x03, 0x05, 0x06, 0x0B, 0x0C, 0x11: .unsupported
        case 0x08: .cardNotInserted
        case 0x0A, 0x10, 0x12, 0x16...0x18, 0x1D, 0x24, 0x25: .hardwareFault
        default: .protocolViolation
        }
    }
}
