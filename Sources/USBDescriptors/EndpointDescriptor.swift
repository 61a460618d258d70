/// USB 2.0, 9.6.6.
public struct EndpointDescriptor: Sendable, Hashable {
    public enum TransferType: UInt8, Sendable, Hashable {
        case control, isochronous, bulk, interrupt
    }

    /// bEndpointAddress: number in bits 0–3, bit 7 set for device to host.
    public var address: UInt8
    /// bmAttributes; bits 0–1 are the transfer type.
    public var attributes: UInt8
    /// Bytes in one packet: wMaxPacketSize bits 0–10.
    public var maxPacketSize: Int
    /// bInterval, in frames or as a power of two of microframes.
    public var interval: UInt8
    /// Descriptors between this one and the next endpoint, as they stand.
    public var extra: [UInt8]

    public init(address: UInt8, attributes: UInt8, maxPacketSize: Int, interval: UInt8, extra: [UInt8] = []) {
        self.address = address
        self.attributes = attributes
        self.maxPacketSize = maxPacketSize
        self.interval = interval
        self.extra = extra
    }

    public var isIn: Bool { address & 0x80 != 0 }

    public var transferType: TransferType { TransferType(rawValue: attributes & 0x03) ?? .control }
}
