internal import CLibUDev
internal import USBDescriptors

/// One udev device object, owned by who made it. libudev's objects belong to one thread; so does this.
struct UdevDevice: ~Copyable {
    let pointer: OpaquePointer

    /// Takes over the reference that `pointer` stands for.
    init?(owning pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit {
        udev_device_unref(pointer)
    }

    /// "add", "remove", "bind", "change" …; nil when it comes from a scan.
    var action: String? { text(udev_device_get_action(pointer)) }

    var syspath: String? { text(udev_device_get_syspath(pointer)) }

    /// Everything there is to know now. Nil when it is no complete USB device, or is leaving already.
    func read() -> DiscoveredDevice? {
        guard let syspath, let sysname = text(udev_device_get_sysname(pointer)),
            let node = text(udev_device_get_devnode(pointer)),
            let bus = attribute("busnum").flatMap({ UInt8($0) }),
            let number = attribute("devnum").flatMap({ UInt8($0) }),
            let descriptors = SysfsFile.bytes(syspath + "/descriptors", atMost: DescriptorSet.maximumLength),
            let device = try? DeviceDescriptor(parsing: descriptors)
        else { return nil }
        return DiscoveredDevice(
            syspath: syspath, sysname: sysname, busNumber: bus, deviceNumber: number, node: node,
            vendorId: device.vendorId, productId: device.productId, manufacturer: attribute("manufacturer"),
            product: attribute("product"), serial: attribute("serial"), speed: attribute("speed") ?? "",
            interfaces: interfaces(descriptors, below: syspath, sysname), descriptors: descriptors,
            properties: properties())
    }

    private func interfaces(
        _ descriptors: [UInt8], below syspath: String, _ sysname: String
    ) -> [DiscoveredDevice.Interface] {
        guard let parsed = try? DescriptorSet(parsing: descriptors) else { return [] }
        let active = attribute("bConfigurationValue").flatMap { UInt8($0) }
        let configuration = parsed.configurations.first { $0.value == active } ?? parsed.configurations.first
        guard let configuration else { return [] }
        return configuration.interfaces.filter { $0.alternateSetting == 0 }.map { interface in
            DiscoveredDevice.Interface(
                number: interface.number, interfaceClass: interface.interfaceClass, subclass: interface.subclass,
                interfaceProtocol: interface.interfaceProtocol,
                driver: SysfsFile.linkName("\(syspath)/\(sysname):\(configuration.value).\(interface.number)/driver"))
        }
    }

    private func properties() -> [String: String] {
        properties(DiscoveredDevice.keptProperties)
    }

    /// Those of the udev properties named that are set.
    func properties(_ names: [String]) -> [String: String] {
        var kept: [String: String] = [:]
        for name in names { kept[name] = property(name) }
        return kept
    }

    func property(_ name: String) -> String? {
        text(udev_device_get_property_value(pointer, name))
    }

    /// A sysfs attribute's text without white space around it; nil when absent or empty.
    func attribute(_ name: String) -> String? {
        attribute(name, of: pointer)
    }

    func attribute(_ name: String, of pointer: OpaquePointer) -> String? {
        guard let value = text(udev_device_get_sysattr_value(pointer, name)) else { return nil }
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" }
        guard let first = value.firstIndex(where: { !isBlank($0) }), let last = value.lastIndex(where: { !isBlank($0) })
        else { return nil }
        return String(value[first...last])
    }

    func text(_ value: UnsafePointer<CChar>?) -> String? {
        value.map { String(cString: $0) }
    }
}
