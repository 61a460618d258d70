internal import CLibUSB
internal import USBDescriptors

/// The pipes of claimed interfaces that a reader's dialogue uses: bulk in both directions, with interrupt IN for
/// notifications; or, where there are no bulk pipes (HID), interrupt in both directions.
struct DataPipes: Sendable {
    let out: EndpointDescriptor
    let into: EndpointDescriptor
    /// Interrupt IN, for notifications; nil when the dialogue itself is on it.
    let event: EndpointDescriptor?
    /// Of `out` and `into`.
    let transferType: libusb_transfer_type

    /// Nil unless `interface` has a pipe in each direction with a packet size above zero. Beside bulk pipes, notifications
    /// come from the first of `interface` and its companions that has a pipe for them.
    init?(of interface: InterfaceDescriptor, companions: [InterfaceDescriptor] = []) {
        func pair(_ type: EndpointDescriptor.TransferType) -> (EndpointDescriptor, EndpointDescriptor)? {
            guard let out = interface.endpoint(type, isIn: false), out.maxPacketSize > 0,
                let into = interface.endpoint(type, isIn: true), into.maxPacketSize > 0
            else { return nil }
            return (out, into)
        }
        if let (out, into) = pair(.bulk) {
            self.out = out
            self.into = into
            event = ([interface] + companions).compactMap { $0.endpoint(.interrupt, isIn: true) }
                .first { $0.maxPacketSize > 0 }
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
