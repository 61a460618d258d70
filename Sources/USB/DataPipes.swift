internal import CLibUSB
internal import USBDescriptors

/// The pipes of a claimed interface that a reader's dialogue uses: bulk in both directions, with interrupt IN for
/// notifications; or, where there are no bulk pipes (HID), interrupt in both directions.
struct DataPipes: Sendable {
    let out: EndpointDescriptor
    let into: EndpointDescriptor
    /// Interrupt IN, for notifications; nil when the dialogue itself is on it.
    let event: EndpointDescriptor?
    /// Of `out` and `into`.
    let transferType: libusb_transfer_type

    /// Nil unless there is a pipe in each direction with a packet size above zero.
    init?(of interface: InterfaceDescriptor) {
        func pair(_ type: EndpointDescriptor.TransferType) -> (EndpointDescriptor, EndpointDescriptor)? {
            guard let out = interface.endpoint(type, isIn: false), out.maxPacketSize > 0,
                let into = interface.endpoint(type, isIn: true), into.maxPacketSize > 0
            else { return nil }
            return (out, into)
        }
        if let (out, into) = pair(.bulk) {
            self.out = out
            self.into = into
            let event = interface.endpoint(.interrupt, isIn: true)
            self.event = (event?.maxPacketSize ?? 0) > 0 ? event : nil
            transferType = LIBUSB_TRANSFER_TYPE_BULK
        } else if let (out, into) = pair(.interrupt) {
            self.out = out
            self.into = into
            event = nil
            transferType = LIBUSB_TRANSFER_TYPE_INTERRUPT
        } else {
            return nil
        }
    }
}
