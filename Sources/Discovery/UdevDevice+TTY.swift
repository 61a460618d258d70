internal import CLibUDev

extension DiscoveredTTY: Discoverable {
    static let subsystem = "tty"
    static let deviceType: String? = nil

    init?(_ device: borrowing UdevDevice) {
        guard let read = device.readTTY() else { return nil }
        self = read
    }

    func isSamePlug(as other: DiscoveredTTY) -> Bool {
        node == other.node && usb?.deviceNumber == other.usb?.deviceNumber && usb?.sysname == other.usb?.sysname
    }
}

extension UdevDevice {
    fileprivate func readTTY() -> DiscoveredTTY? {
        guard let syspath, let sysname = text(udev_device_get_sysname(pointer)),
            let node = text(udev_device_get_devnode(pointer)), hasHardware
        else { return nil }
        let links = (property("DEVLINKS") ?? "").split(separator: " ").map(String.init).sorted()
        return DiscoveredTTY(
            syspath: syspath, sysname: sysname, node: node,
            linksById: links.filter { $0.hasPrefix("/dev/serial/by-id/") },
            linksByPath: links.filter { $0.hasPrefix("/dev/serial/by-path/") }, driver: driver, usb: usbParent,
            properties: properties(DiscoveredTTY.keptProperties))
    }

    /// Virtual terminals have no device above them. The 8250 driver makes ports on the chance that there is a UART:
    /// those without one have the type 0 (PORT_UNKNOWN).
    private var hasHardware: Bool {
        udev_device_get_parent(pointer) != nil && attribute("type") != "0"
    }

    /// The driver of the nearest device above that has one. Since Linux 6.5 a UART has two devices of the serial core
    /// between, whose "drivers" are only layers.
    private var driver: String? {
        var parent = udev_device_get_parent(pointer)
        while let device = parent {
            if let name = text(udev_device_get_driver(device)), name != "port", name != "ctrl" { return name }
            parent = udev_device_get_parent(device)
        }
        return nil
    }

    private var usbParent: DiscoveredTTY.USBParent? {
        guard let device = udev_device_get_parent_with_subsystem_devtype(pointer, "usb", "usb_device"),
            let syspath = text(udev_device_get_syspath(device)), let sysname = text(udev_device_get_sysname(device)),
            let number = attribute("devnum", of: device).flatMap({ UInt8($0) }),
            let vendorId = attribute("idVendor", of: device).flatMap({ UInt16($0, radix: 16) }),
            let productId = attribute("idProduct", of: device).flatMap({ UInt16($0, radix: 16) })
        else { return nil }
        let interface = udev_device_get_parent_with_subsystem_devtype(pointer, "usb", "usb_interface")
        return DiscoveredTTY.USBParent(
            syspath: syspath, sysname: sysname, deviceNumber: number, vendorId: vendorId, productId: productId,
            manufacturer: attribute("manufacturer", of: device), product: attribute("product", of: device),
            serial: attribute("serial", of: device),
            interface: interface.flatMap { attribute("bInterfaceNumber", of: $0) }.flatMap { UInt8($0, radix: 16) })
    }
}
