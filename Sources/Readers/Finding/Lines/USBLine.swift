public import Discovery
public import USBDescriptors
public import USBSerial

/// A serial line of a USB device that is plugged in: the chip that makes it, and the tty that the kernel has made of it.
public struct USBLine: Sendable {
    public let device: DiscoveredDevice
    public let function: USBSerialFunction
    /// Nil when no driver of the kernel serves the line.
    public let tty: DiscoveredTTY?

    public init(device: DiscoveredDevice, function: USBSerialFunction, tty: DiscoveredTTY? = nil) {
        self.device = device
        self.function = function
        self.tty = tty
    }

    /// Every line of the devices: those of known chips, and CDC-ACM. Devices that belong to another program are left out.
    public static func all(in devices: [DiscoveredDevice], _ ttys: [DiscoveredTTY]) -> [USBLine] {
        devices.filter { !$0.isIgnored }.flatMap { device -> [USBLine] in
            guard let set = try? device.parsedDescriptors(), let configuration = set.configurations.first else {
                return []
            }
            let own = ttys.filter { $0.usb?.sysname == device.sysname }
            return USBSerialFunction.all(in: set.device, configuration).map { function in
                let interfaces = [function.controlInterface, function.dataInterface]
                return USBLine(
                    device: device, function: function, tty: own.first { interfaces.contains($0.usb?.interface) })
            }
        }
    }

    public func isNamed(by name: USBLineName) -> Bool {
        name.line == function.port
            && name.isOn(
                vendorId: device.vendorId, productId: device.productId, serial: device.serial, port: device.sysname)
    }

    /// The driver of the kernel that has the line.
    public var kernelDriver: String? {
        let numbers = [function.controlInterface, function.dataInterface]
        return device.interfaces.filter { numbers.contains($0.number) }.compactMap(\.driver).first { $0 != "usbfs" }
    }

    /// The name that stays the same, by which configurations and command lines mean it.
    public func name(among present: [DiscoveredDevice]) -> USBLineName {
        switch DeviceIdentity(of: device, among: present) {
        case .serial(let vendorId, let productId, let serial):
            USBLineName(.ids(vendorId: vendorId, productId: productId, serial: serial), line: function.port)
        case .port(let port): USBLineName(.port(port), line: function.port)
        }
    }
}
