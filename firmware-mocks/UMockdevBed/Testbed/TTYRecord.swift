import FirmwareCores

/// The tty that a kernel driver makes of a device's first interface, as sysfs and udev show it.
struct TTYRecord: Sendable, Hashable {
    /// "ttyACM0".
    var name: String
    /// What the node leads to: the other side of a pseudo terminal, or any file.
    var target: String
    /// The driver that the interface is bound to.
    var driver: String

    /// `NAME@TARGET@DRIVER`. Nil when it is none.
    init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), parts[0].hasPrefix("tty"), parts[1].hasPrefix("/"),
            !parts[0].contains("/"), !parts[2].contains("/")
        else { return nil }
        name = parts[0]
        target = parts[1]
        driver = parts[2]
    }

    /// Of cdc_acm; the number at the end of the name is the minor.
    static let major = 166
    var minor: Int { Int(String(name.reversed().prefix { $0.isNumber }.reversed())) ?? 0 }

    /// Below `/sys`.
    func sysPath(of device: DeviceAddress) -> String {
        "\(interfacePath(of: device))/tty/\(name)"
    }

    func interfacePath(of device: DeviceAddress) -> String {
        "\(device.sysPath)/\(device.interfaceName(0))"
    }

    func properties(of device: DeviceRecord, devicePrefix: String) -> [(key: String, value: String)] {
        let names = ["usb"] + [device.text(14), device.text(15), device.text(16)].compactMap { $0 }
        let id = names.map { $0.replacingSpaces }.joined(separator: "_").replacingFirstUnderscore
        let path = "pci-0000:00:14.0-usb-0:\(device.address.devicePath):1.0"
        return [
            ("MAJOR", "\(Self.major)"), ("MINOR", "\(minor)"), ("DEVNAME", devicePrefix + name),
            ("DEVLINKS", "/dev/serial/by-path/\(path) /dev/serial/by-id/\(id)-if00"), ("ID_PATH", path),
        ] + device.udevProperties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension DeviceRecord {
    /// The string whose index stands at `offset` of the device descriptor.
    fileprivate func text(_ offset: Int) -> String? {
        let index = Int(descriptors.device[offset])
        return index > 0 && index <= descriptors.strings.count ? descriptors.strings[index - 1] : nil
    }
}

extension String {
    fileprivate var replacingSpaces: String { String(map { $0 == " " ? "_" : $0 }) }

    /// "usb_Maker_…" is written "usb-Maker_…".
    fileprivate var replacingFirstUnderscore: String {
        guard let place = firstIndex(of: "_") else { return self }
        return self[..<place] + "-" + self[index(after: place)...]
    }
}
