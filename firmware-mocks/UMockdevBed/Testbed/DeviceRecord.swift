import FirmwareCores

/// What sysfs and udev say about a plugged device, derived from its descriptors.
struct DeviceRecord: Sendable {
    var address: DeviceAddress
    var descriptors: DeviceDescriptors
    /// What udev's rules have added to its properties.
    var udevProperties: [String: String] = [:]

    var interfaces: [InterfaceDescriptor] { InterfaceDescriptor.all(in: descriptors.configuration) }

    /// The device's attribute files.
    var attributes: [(name: String, value: String)] {
        let device = descriptors.device
        let configuration = descriptors.configuration
        var attributes = [
            ("authorized", "1"), ("bcdDevice", hex(release, 4)), ("bConfigurationValue", "\(configuration[5])"),
            ("bDeviceClass", hex(device[4], 2)), ("bDeviceProtocol", hex(device[6], 2)),
            ("bDeviceSubClass", hex(device[5], 2)), ("bmAttributes", hex(configuration[7], 2)),
            ("bMaxPacketSize0", "\(device[7])"), ("bMaxPower", "\(Int(configuration[8]) * 2)mA"),
            ("bNumConfigurations", "\(device[17])"), ("bNumInterfaces", padded(configuration[4])),
            ("configuration", ""), ("rx_lanes", "1"), ("tx_lanes", "1"), ("busnum", "\(DeviceAddress.busNumber)"),
            ("dev", "189:\(address.minor)"),
            ("devnum", "\(address.number)"), ("devpath", address.devicePath),
            ("idProduct", hex(descriptors.productId, 4)), ("idVendor", hex(descriptors.vendorId, 4)),
            ("maxchild", address.isHub ? "15" : "0"), ("removable", "removable"), ("speed", descriptors.speed),
            ("version", " \(String(device[3], radix: 16)).\(hex(device[2], 2))"),
        ]
        for (name, index) in [("manufacturer", device[14]), ("product", device[15]), ("serial", device[16])] {
            if let text = string(index) { attributes.append((name, text)) }
        }
        return attributes
    }

    func attributes(of interface: InterfaceDescriptor) -> [(name: String, value: String)] {
        [
            ("bAlternateSetting", " 0"), ("bInterfaceClass", hex(interface.interfaceClass, 2)),
            ("bInterfaceNumber", hex(interface.number, 2)), ("bInterfaceProtocol", hex(interface.interfaceProtocol, 2)),
            ("bInterfaceSubClass", hex(interface.subclass, 2)), ("bNumEndpoints", hex(interface.endpoints.count, 2)),
            ("modalias", modalias(of: interface)),
        ]
    }

    /// The device's properties, without ACTION, DEVPATH, SUBSYSTEM and SEQNUM.
    func properties(devicePrefix: String) -> [(key: String, value: String)] {
        [
            ("MAJOR", "189"), ("MINOR", "\(address.minor)"), ("DEVNAME", devicePrefix + address.node),
            ("DEVTYPE", "usb_device"), ("BUSNUM", address.busText), ("DEVNUM", address.numberText), ("DRIVER", "usb"),
            ("PRODUCT", product), ("TYPE", deviceClass),
        ]
    }

    /// What udevd tells of the device: the kernel's properties and those of its rules.
    var eventProperties: [(key: String, value: String)] {
        properties(devicePrefix: "/dev/") + rules
    }

    /// The `uevent` file. The rules' properties are in it too, since umockdev's preload does not show the client udev's
    /// database, where they belong.
    var fileProperties: [(key: String, value: String)] {
        properties(devicePrefix: "") + rules
    }

    private var rules: [(key: String, value: String)] {
        udevProperties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func properties(of interface: InterfaceDescriptor) -> [(key: String, value: String)] {
        [
            ("DEVTYPE", "usb_interface"), ("PRODUCT", product), ("TYPE", deviceClass),
            ("INTERFACE", "\(interface.interfaceClass)/\(interface.subclass)/\(interface.interfaceProtocol)"),
            ("MODALIAS", modalias(of: interface)),
        ]
    }

    /// udev's database entry: a device is initialised for libudev only when there is one.
    var database: [String] {
        var lines = [
            "I:1", "E:ID_BUS=usb", "E:ID_VENDOR_ID=\(hex(descriptors.vendorId, 4))",
            "E:ID_MODEL_ID=\(hex(descriptors.productId, 4))", "E:ID_REVISION=\(hex(release, 4))",
        ]
        if let serial = string(descriptors.device[16]) { lines.append("E:ID_SERIAL_SHORT=\(serial)") }
        lines.append(
            "E:ID_USB_INTERFACES=:"
                + interfaces.map {
                    hex($0.interfaceClass, 2) + hex($0.subclass, 2) + hex($0.interfaceProtocol, 2) + ":"
                }.joined())
        return lines + rules.map { "E:\($0.key)=\($0.value)" }
    }

    private var release: UInt16 { UInt16(descriptors.device[12]) | UInt16(descriptors.device[13]) << 8 }

    private var product: String {
        [descriptors.vendorId, descriptors.productId, release].map { String($0, radix: 16) }.joined(separator: "/")
    }

    private var deviceClass: String { descriptors.device[4...6].map(String.init).joined(separator: "/") }

    private func modalias(of interface: InterfaceDescriptor) -> String {
        let device = descriptors.device
        return "usb:v\(upper(descriptors.vendorId, 4))p\(upper(descriptors.productId, 4))d\(upper(release, 4))"
            + "dc\(upper(device[4], 2))dsc\(upper(device[5], 2))dp\(upper(device[6], 2))"
            + "ic\(upper(interface.interfaceClass, 2))isc\(upper(interface.subclass, 2))"
            + "ip\(upper(interface.interfaceProtocol, 2))in\(upper(interface.number, 2))"
    }

    private func string(_ index: UInt8) -> String? {
        index > 0 && Int(index) <= descriptors.strings.count ? descriptors.strings[Int(index) - 1] : nil
    }

    private func hex(_ value: some BinaryInteger, _ digits: Int) -> String {
        FixedWidth.hexadecimal(value, digits: digits)
    }

    private func upper(_ value: some BinaryInteger, _ digits: Int) -> String {
        FixedWidth.hexadecimal(value, digits: digits, uppercase: true)
    }

    private func padded(_ value: UInt8) -> String {
        String(repeating: " ", count: value < 10 ? 1 : 0) + "\(value)"
    }
}

extension DeviceDescriptors {
    /// Nil when the descriptors can be shown in sysfs; else what is wrong with them.
    var complaint: String? {
        if device.count != 18 { return "the device descriptor has \(device.count) bytes, not 18" }
        if configuration.count < 9 { return "the configuration descriptor has fewer than 9 bytes" }
        let total = Int(configuration[2]) | Int(configuration[3]) << 8
        if total != configuration.count { return "wTotalLength is \(total), not \(configuration.count)" }
        return nil
    }

    /// Linux's own root hub.
    static var rootHub: DeviceDescriptors {
        DeviceDescriptors(
            device: [18, 1, 0x00, 0x02, 9, 0, 1, 64, 0x6B, 0x1D, 0x02, 0x00, 0x01, 0x06, 3, 2, 1, 1],
            configuration: [
                9, 2, 25, 0, 1, 1, 0, 0xE0, 0,
                9, 4, 0, 0, 1, 9, 0, 0, 0,
                7, 5, 0x81, 3, 4, 0, 12,
            ],
            strings: ["0000:00:14.0", "xHCI Host Controller", "Linux xhci-hcd"],
            speed: "480"
        )
    }
}
