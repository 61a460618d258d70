import FirmwareCores

/// The pipes of a device, read from its configuration descriptor (USB 2.0, 9.6.6). A device without bulk pipes (HID) has
/// its dialogue on its interrupt pipes, and no notifications beside it.
struct EndpointSet: Sendable, Hashable {
    private var bulkOut: UInt8?
    private var bulkIn: UInt8?
    private var interruptOut: UInt8?
    private var interruptIn: UInt8?

    private var hasBulkPipes: Bool { bulkOut != nil && bulkIn != nil }
    var dataOut: UInt8? { hasBulkPipes ? bulkOut : interruptOut }
    var dataIn: UInt8? { hasBulkPipes ? bulkIn : interruptIn }
    var events: UInt8? { hasBulkPipes ? interruptIn : nil }

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
        case (3, 0): interruptOut = interruptOut ?? address
        case (3, _): interruptIn = interruptIn ?? address
        default: break
        }
    }
}
