/// USB 2.0, 9.6.1.
public struct DeviceDescriptor: Sendable, Hashable {
    /// bcdUSB, for example 0x0200.
    public var usbVersion: UInt16
    public var deviceClass: UInt8
    public var subclass: UInt8
    public var deviceProtocol: UInt8
    /// bMaxPacketSize0, bytes.
    public var maxPacketSize0: UInt8
    public var vendorId: UInt16
    public var productId: UInt16
    /// bcdDevice: the maker's release number.
    public var release: UInt16
    /// String descriptor indices; 0 means none.
    public var manufacturerIndex: UInt8
    public var productIndex: UInt8
    public var serialIndex: UInt8
    public var configurationCount: UInt8

    public init(
        usbVersion: UInt16, deviceClass: UInt8, subclass: UInt8, deviceProtocol: UInt8, maxPacketSize0: UInt8,
        vendorId: UInt16, productId: UInt16, release: UInt16, manufacturerIndex: UInt8, productIndex: UInt8,
        serialIndex: UInt8, configurationCount: UInt8
    ) {
        self.usbVersion = usbVersion
        self.deviceClass = deviceClass
        self.subclass = subclass
        self.deviceProtocol = deviceProtocol
        self.maxPacketSize0 = maxPacketSize0
        self.vendorId = vendorId
        self.productId = productId
        self.release = release
        self.manufacturerIndex = manufacturerIndex
        self.productIndex = productIndex
        self.serialIndex = serialIndex
        self.configurationCount = configurationCount
    }

    /// Parses the 18 bytes of a device descriptor; what follows is left alone.
    public init(parsing bytes: some Collection<UInt8>) throws(DescriptorError) {
        let bytes = Array(bytes.prefix(18))
        guard bytes.count == 18 else { throw .truncated(at: bytes.count) }
        guard bytes[0] >= 18 else { throw .badLength(at: 0) }
        guard bytes[1] == DescriptorType.device else { throw .unexpectedType(bytes[1], at: 1) }
        func word(_ offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 }
        usbVersion = word(2)
        deviceClass = bytes[4]
        subclass = bytes[5]
        deviceProtocol = bytes[6]
        maxPacketSize0 = bytes[7]
        vendorId = word(8)
        productId = word(10)
        release = word(12)
        manufacturerIndex = bytes[14]
        productIndex = bytes[15]
        serialIndex = bytes[16]
        configurationCount = bytes[17]
    }
}
