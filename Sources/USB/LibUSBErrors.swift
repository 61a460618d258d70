internal import CLibUSB
internal import Transport

/// A negative libusb return value.
struct LibUSBError: Error, Sendable, Equatable {
    let code: Int32

    static let access = Self(code: LIBUSB_ERROR_ACCESS.rawValue)
    static let noDevice = Self(code: LIBUSB_ERROR_NO_DEVICE.rawValue)
    static let notFound = Self(code: LIBUSB_ERROR_NOT_FOUND.rawValue)
    static let notSupported = Self(code: LIBUSB_ERROR_NOT_SUPPORTED.rawValue)
    static let noMemory = Self(code: LIBUSB_ERROR_NO_MEM.rawValue)

    /// The constant's name, for example "LIBUSB_ERROR_IO".
    var name: String {
        switch code {
        case LIBUSB_ERROR_IO.rawValue: "LIBUSB_ERROR_IO"
        case LIBUSB_ERROR_INVALID_PARAM.rawValue: "LIBUSB_ERROR_INVALID_PARAM"
        case LIBUSB_ERROR_ACCESS.rawValue: "LIBUSB_ERROR_ACCESS"
        case LIBUSB_ERROR_NO_DEVICE.rawValue: "LIBUSB_ERROR_NO_DEVICE"
        case LIBUSB_ERROR_NOT_FOUND.rawValue: "LIBUSB_ERROR_NOT_FOUND"
        case LIBUSB_ERROR_BUSY.rawValue: "LIBUSB_ERROR_BUSY"
        case LIBUSB_ERROR_TIMEOUT.rawValue: "LIBUSB_ERROR_TIMEOUT"
        case LIBUSB_ERROR_OVERFLOW.rawValue: "LIBUSB_ERROR_OVERFLOW"
        case LIBUSB_ERROR_PIPE.rawValue: "LIBUSB_ERROR_PIPE"
        case LIBUSB_ERROR_INTERRUPTED.rawValue: "LIBUSB_ERROR_INTERRUPTED"
        case LIBUSB_ERROR_NO_MEM.rawValue: "LIBUSB_ERROR_NO_MEM"
        case LIBUSB_ERROR_NOT_SUPPORTED.rawValue: "LIBUSB_ERROR_NOT_SUPPORTED"
        case LIBUSB_ERROR_OTHER.rawValue: "LIBUSB_ERROR_OTHER"
        default: "LIBUSB_ERROR_\(code)"
        }
    }

    /// The one mapping from libusb's codes. NO_DEVICE is never merged with IO.
    func transportError(during operation: String) -> TransportError {
        let code: TransportError.Code =
            switch self.code {
            case LIBUSB_ERROR_ACCESS.rawValue: .denied
            case LIBUSB_ERROR_NO_DEVICE.rawValue: .gone
            case LIBUSB_ERROR_BUSY.rawValue: .busy
            case LIBUSB_ERROR_TIMEOUT.rawValue: .timedOut
            case LIBUSB_ERROR_OVERFLOW.rawValue: .overflow
            case LIBUSB_ERROR_PIPE.rawValue: .stalled
            case LIBUSB_ERROR_NOT_SUPPORTED.rawValue: .unsupported
            default: .failed
            }
        return TransportError(code, during: operation, underlying: name)
    }
}

/// How a transfer ended (enum libusb_transfer_status).
struct TransferStatus: Sendable, Equatable {
    let code: UInt32

    static let completed = Self(code: LIBUSB_TRANSFER_COMPLETED.rawValue)
    static let cancelled = Self(code: LIBUSB_TRANSFER_CANCELLED.rawValue)
    static let stalled = Self(code: LIBUSB_TRANSFER_STALL.rawValue)
    static let noDevice = Self(code: LIBUSB_TRANSFER_NO_DEVICE.rawValue)
    static let overflow = Self(code: LIBUSB_TRANSFER_OVERFLOW.rawValue)

    var name: String {
        switch code {
        case LIBUSB_TRANSFER_COMPLETED.rawValue: "LIBUSB_TRANSFER_COMPLETED"
        case LIBUSB_TRANSFER_ERROR.rawValue: "LIBUSB_TRANSFER_ERROR"
        case LIBUSB_TRANSFER_TIMED_OUT.rawValue: "LIBUSB_TRANSFER_TIMED_OUT"
        case LIBUSB_TRANSFER_CANCELLED.rawValue: "LIBUSB_TRANSFER_CANCELLED"
        case LIBUSB_TRANSFER_STALL.rawValue: "LIBUSB_TRANSFER_STALL"
        case LIBUSB_TRANSFER_NO_DEVICE.rawValue: "LIBUSB_TRANSFER_NO_DEVICE"
        case LIBUSB_TRANSFER_OVERFLOW.rawValue: "LIBUSB_TRANSFER_OVERFLOW"
        default: "LIBUSB_TRANSFER_\(code)"
        }
    }
}
