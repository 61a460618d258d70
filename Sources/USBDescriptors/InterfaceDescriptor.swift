/// USB 2.0, 9.6.5: one alternate setting of an interface.
public struct InterfaceDescriptor: Sendable, Hashable {
    public var number: UInt8
    public var alternateSetting: UInt8
    /// bInterfaceClass: 0x0B smart card (CCID), 0x0A CDC data, 0x03 HID, 0xFF vendor specific.
    public var interfaceClass: UInt8
    public var subclass: UInt8
    /// bInterfaceProtocol.
    public var interfaceProtocol: UInt8
    public var endpoints: [EndpointDescriptor]
    /// Class and vendor descriptors of the interface, as they stand.
    public var extra: [UInt8]

    public init(
        number: UInt8, alternateSetting: UInt8, interfaceClass: UInt8, subclass: UInt8, interfaceProtocol: UInt8,
        endpoints: [EndpointDescriptor] = [], extra: [UInt8] = []
    ) {
        self.number = number
        self.alternateSetting = alternateSetting
        self.interfaceClass = interfaceClass
        self.subclass = subclass
        self.interfaceProtocol = interfaceProtocol
        self.endpoints = endpoints
        self.extra = extra
    }

    public func endpoint(_ type: EndpointDescriptor.TransferType, isIn: Bool) -> EndpointDescriptor? {
        endpoints.first { $0.transferType == type && $0.isIn == isIn }
    }

    /// The first class descriptor of `type`, bLength and bDescriptorType included. CCID's is 0x21, 54 bytes; some old
    /// readers put it behind an endpoint, so those are searched too. Nil when there is none or its length is wrong.
    public func classDescriptor(type: UInt8) -> [UInt8]? {
        for bytes in [extra] + endpoints.map(\.extra) {
            var rest = bytes[...]
            while let descriptor = rest.popDescriptor() {
                if descriptor.type == type { return Array(descriptor.bytes) }
            }
        }
        return nil
    }
}
