public import USBDescriptors

/// One serial port of a USB device: which chip it is, and which interfaces belong to it.
public struct USBSerialFunction: Sendable {
    public let chip: any SerialChip
    /// From 0, in the order of the device's interfaces.
    public let port: Int
    /// bInterfaceNumber of the interface with the bulk pipes.
    public let dataInterface: UInt8
    /// bInterfaceNumber of a CDC-ACM function's communications interface.
    public let controlInterface: UInt8?

    public init(chip: any SerialChip, port: Int = 0, dataInterface: UInt8, controlInterface: UInt8? = nil) {
        self.chip = chip
        self.port = port
        self.dataInterface = dataInterface
        self.controlInterface = controlInterface
    }

    /// The serial ports of a device, by its ids, or by its class for CDC-ACM. Empty when it has none that is known.
    public static func all(in device: DeviceDescriptor, _ configuration: ConfigurationDescriptor) -> [Self] {
        let known = configuration.interfaces.filter(\.hasBulkPipes).compactMap { interface in
            chip(of: device, interface: interface.number).map { ($0, interface.number) }
        }
        guard known.isEmpty else {
            return known.enumerated().map { Self(chip: $1.0, port: $0, dataInterface: $1.1) }
        }
        return communications(in: configuration)
    }

    private static func chip(of device: DeviceDescriptor, interface: UInt8) -> (any SerialChip)? {
        SerialChipIds.all.first { $0.vendorId == device.vendorId && $0.productId == device.productId }?
            .makeChip(device, interface)
    }

    /// Class 02, subclass 02, and the data interface that its union descriptor names (CDC 1.2, 5.2.3.2), or else the next
    /// one of class 0A.
    private static func communications(in configuration: ConfigurationDescriptor) -> [Self] {
        let interfaces = configuration.interfaces
        let controls = interfaces.indices.filter {
            interfaces[$0].interfaceClass == 0x02 && interfaces[$0].subclass == 0x02
                && interfaces[$0].alternateSetting == 0
        }
        let functions = controls.compactMap { index -> (UInt8, UInt8)? in
            let control = interfaces[index]
            let data = interfaces.filter { $0.interfaceClass == 0x0A && $0.hasBulkPipes }
            let named = control.subordinates.lazy.compactMap { number in data.first { $0.number == number } }.first
            let next = data.first { $0.number > control.number }
            return (named ?? next).map { (control.number, $0.number) }
        }
        return functions.enumerated().map { port, numbers in
            Self(
                chip: CDCACMChip(controlInterface: numbers.0), port: port, dataInterface: numbers.1,
                controlInterface: numbers.0)
        }
    }
}

extension InterfaceDescriptor {
    /// In the setting that a claimed interface has: alternate settings would name the same interface again.
    fileprivate var hasBulkPipes: Bool {
        alternateSetting == 0 && endpoint(.bulk, isIn: true) != nil && endpoint(.bulk, isIn: false) != nil
    }

    /// bSubordinateInterface of the union descriptor (type 24, subtype 06).
    fileprivate var subordinates: [UInt8] {
        var rest = (extra + endpoints.flatMap(\.extra))[...]
        while rest.count >= 3, let length = rest.first.map(Int.init), length >= 3, rest.count >= length {
            let bytes = Array(rest.prefix(length))
            if bytes[1] == 0x24, bytes[2] == 0x06 { return Array(bytes.dropFirst(4)) }
            rest = rest.dropFirst(length)
        }
        return []
    }
}
