internal import USBDescriptors

/// The pipes of a claimed interface that a reader's dialogue uses.
struct BulkPipes: Sendable {
    let out: EndpointDescriptor
    let into: EndpointDescriptor
    /// Interrupt IN, for notifications.
    let event: EndpointDescriptor?

    /// Nil unless there is a bulk pipe in each direction with a packet size above zero.
    init?(of interface: InterfaceDescriptor) {
        guard let out = interface.endpoint(.bulk, isIn: false), out.maxPacketSize > 0,
            let into = interface.endpoint(.bulk, isIn: true), into.maxPacketSize > 0
        else { return nil }
        self.out = out
        self.into = into
        let event = interface.endpoint(.interrupt, isIn: true)
        self.event = (event?.maxPacketSize ?? 0) > 0 ? event : nil
    }
}
