/// USB 2.0, 9.6.3, with everything inside it.
public struct ConfigurationDescriptor: Sendable, Hashable {
    /// bConfigurationValue.
    public var value: UInt8
    /// bmAttributes: bit 6 self-powered, bit 5 remote wake-up.
    public var attributes: UInt8
    /// bMaxPower in units of 2 mA.
    public var maxPower: UInt8
    /// Every alternate setting, in the order of the descriptor.
    public var interfaces: [InterfaceDescriptor]
    /// Descriptors before the first interface (interface association, for example), as they stand.
    public var extra: [UInt8]

    public init(
        value: UInt8, attributes: UInt8, maxPower: UInt8, interfaces: [InterfaceDescriptor] = [], extra: [UInt8] = []
    ) {
        self.value = value
        self.attributes = attributes
        self.maxPower = maxPower
        self.interfaces = interfaces
        self.extra = extra
    }

    /// Parses one configuration: the nine-byte header and wTotalLength bytes in all. Bytes behind wTotalLength are left
    /// alone. Descriptors of unknown type are kept as `extra` of what they follow.
    public init(parsing bytes: some Collection<UInt8>) throws(DescriptorError) {
        let bytes = Array(bytes.prefix(65_535))
        guard bytes.count >= 9 else { throw .truncated(at: bytes.count) }
        guard bytes[1] == DescriptorType.configuration else { throw .unexpectedType(bytes[1], at: 1) }
        guard bytes[0] >= 9 else { throw .badLength(at: 0) }
        let total = Int(bytes[2]) | Int(bytes[3]) << 8
        guard total >= Int(bytes[0]) else { throw .badLength(at: 2) }
        guard bytes.count >= total else { throw .truncated(at: bytes.count) }

        self.init(value: bytes[5], attributes: bytes[7], maxPower: bytes[8])
        var rest = bytes[Int(bytes[0])..<total]
        while !rest.isEmpty {
            let start = rest.startIndex
            guard let descriptor = rest.popDescriptor() else { throw .badLength(at: start) }
            try append(descriptor.type, descriptor.bytes)
        }
    }

    private mutating func append(_ type: UInt8, _ bytes: ArraySlice<UInt8>) throws(DescriptorError) {
        let start = bytes.startIndex
        switch type {
        case DescriptorType.interface:
            guard bytes.count >= 9 else { throw .badLength(at: start) }
            interfaces.append(
                InterfaceDescriptor(
                    number: bytes[start + 2], alternateSetting: bytes[start + 3], interfaceClass: bytes[start + 5],
                    subclass: bytes[start + 6], interfaceProtocol: bytes[start + 7]))
        case DescriptorType.endpoint:
            guard bytes.count >= 7 else { throw .badLength(at: start) }
            guard let last = interfaces.indices.last else { throw .unexpectedType(type, at: start + 1) }
            guard interfaces[last].endpoints.count < 30 else { throw .tooMany(at: start) }
            interfaces[last].endpoints.append(
                EndpointDescriptor(
                    address: bytes[start + 2], attributes: bytes[start + 3],
                    maxPacketSize: Int(bytes[start + 4]) | Int(bytes[start + 5] & 0x07) << 8,
                    interval: bytes[start + 6]))
        default:
            guard let last = interfaces.indices.last else { return extra += bytes }
            if let endpoint = interfaces[last].endpoints.indices.last {
                interfaces[last].endpoints[endpoint].extra += bytes
            } else {
                interfaces[last].extra += bytes
            }
        }
    }
}
