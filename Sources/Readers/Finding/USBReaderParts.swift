import Discovery
import ReaderWire
import USBDescriptors

/// The CCID interface of a device: its number and class descriptor.
struct CCIDPart {
    let interfaceNumber: UInt8
    let descriptor: CCIDClassDescriptor
    /// bcdDevice.
    let release: UInt16
    let hasInterruptPipe: Bool

    /// Nil when there is no interface of class 0B (or FF, for ids of the catalogue) with a class descriptor.
    init?(_ device: DiscoveredDevice) {
        guard let set = try? device.parsedDescriptors(), let configuration = set.configurations.first else {
            return nil
        }
        let isKnown = ReaderCatalogue.model(vendorId: device.vendorId, productId: device.productId) != nil
        for interface in configuration.interfaces where interface.alternateSetting == 0 {
            guard
                interface.interfaceClass == ReaderCatalogue.ccidInterfaceClass
                    || (isKnown && interface.interfaceClass == 0xFF)
            else { continue }
            if let bytes = interface.classDescriptor(type: CCIDClassDescriptor.descriptorType),
                let descriptor = CCIDClassDescriptor(parsing: bytes)
            {
                interfaceNumber = interface.number
                self.descriptor = descriptor
                release = set.device.release
                hasInterruptPipe = interface.endpoint(.interrupt, isIn: true) != nil
                return
            }
        }
        return nil
    }
}

/// The HID interface of an ID TECH reader.
struct NEO2Part {
    let interfaceNumber: UInt8
    /// bcdDevice.
    let release: UInt16?
    /// From which the model reads cards; all of them where nothing else is known.
    let interfaces: Set<CardInterface>

    /// Nil when the device is of another vendor or family, has an interface of class 0B (then it is a CCID reader), or
    /// none of class 03.
    init?(_ device: DiscoveredDevice) {
        let model = ReaderCatalogue.model(vendorId: device.vendorId, productId: device.productId)
        guard device.vendorId == ReaderCatalogue.neo2Vendor, model?.family ?? .neo2 == .neo2,
            !ReaderCatalogue.otherProtocolProducts.contains(device.productId),
            !device.interfaces.contains(where: { $0.interfaceClass == ReaderCatalogue.ccidInterfaceClass }),
            let interface = device.interfaces.first(where: { $0.interfaceClass == ReaderCatalogue.hidInterfaceClass })
        else { return nil }
        interfaceNumber = interface.number
        release = (try? device.parsedDescriptors())?.device.release
        interfaces = model?.cardInterfaces ?? NEO2Reader.everyInterface
    }
}
