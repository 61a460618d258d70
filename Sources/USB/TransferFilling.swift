internal import CLibUSB
internal import Transport

extension TransferMemory {
    /// Describes the transfer to libusb. Time-outs are ours, so libusb's is none.
    func fill(
        endpoint: UInt8, type: libusb_transfer_type, length: Int, on handle: DeviceHandle,
        endsWithZeroLengthPacket: Bool = false
    ) {
        transfer.pointee.dev_handle = handle.pointer
        transfer.pointee.endpoint = endpoint
        transfer.pointee.type = UInt8(truncatingIfNeeded: type.rawValue)
        transfer.pointee.timeout = 0
        transfer.pointee.flags =
            endsWithZeroLengthPacket ? UInt8(truncatingIfNeeded: LIBUSB_TRANSFER_ADD_ZERO_PACKET.rawValue) : 0
        transfer.pointee.buffer = buffer
        transfer.pointee.length = Int32(length)
        transfer.pointee.num_iso_packets = 0
    }

    /// Whether the filled transfer brings data. For control transfers the setup bytes in the buffer say so.
    var isIn: Bool {
        let direction =
            transfer.pointee.type == LIBUSB_TRANSFER_TYPE_CONTROL.rawValue ? buffer[0] : transfer.pointee.endpoint
        return direction & 0x80 != 0
    }
}

extension TransferResult {
    /// What the waiter gets. `bytes`: what an IN transfer brought.
    func outcome(during operation: String, bytes: [UInt8]) -> Result<[UInt8], TransportError> {
        switch end {
        case .neverStarted:
            return .failure(cancelError(during: operation, partial: []))
        case .notSubmitted(let error):
            return .failure(error.transportError(during: operation))
        case .status(.completed):
            return .success(bytes)
        case .status(.cancelled) where cancelReason == .task && !bytes.isEmpty:
            // A reply that is here is never thrown away because somebody stopped waiting for it.
            return .success(bytes)
        case .status(.cancelled) where cancelReason != nil:
            return .failure(cancelError(during: operation, partial: bytes))
        case .status(let status):
            let code: TransportError.Code =
                switch status {
                case .stalled: .stalled
                case .noDevice: .gone
                case .overflow: .overflow
                default: .failed
                }
            return .failure(TransportError(code, during: operation, underlying: status.name, partial: bytes))
        }
    }

    private func cancelError(during operation: String, partial: [UInt8]) -> TransportError {
        let code: TransportError.Code =
            switch cancelReason {
            case .deadline: .timedOut
            case .closed: .closed
            case .task, nil: .cancelled
            }
        return TransportError(code, during: operation, partial: partial)
    }
}
