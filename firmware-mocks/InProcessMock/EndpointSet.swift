import FirmwareCores

/// The pipes of a device, read from its configuration descriptor (USB 2.0, 9.6.6).
struct EndpointSet: Sendable, Hashable {
    private(set) var bulkOut: UInt8?
    private(set) var bulkIn: UInt8?
    private(set) var interruptIn: UInt8?

    init(_ descriptors: DeviceDescriptors) {
        let bytes = descriptors.configuration
        var index = 0
        while index + 1 < bytes.count {
            let length = Int(bytes[index])
            guard length >= 2, index + length <= bytes.count else { return }
            if bytes[index + 1] == 0x05, length >= 7 { add(bytes[index + 2], attributes: bytes[index + 3]) }
            index += length
        }
    }

    private mutating func add(_ address: UInt8, attributes: UInt8) {
        switch (attributes & 0x03, address & 0x80) {
        case (2, 0): bulkOut = bulkOut ?? address
        case (2, _): bulkIn = bulkIn ?? address
        case (3, 0x80): interruptIn = interruptIn ?? address
        default: break
        }
    }
}
