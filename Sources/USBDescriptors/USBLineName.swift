/// Names a serial line of a USB device, in a configuration and on a command line.
public struct USBLineName: Sendable, Hashable {
    public enum Device: Sendable, Hashable {
        /// Without a serial number: every device with these ids.
        case ids(vendorId: UInt16, productId: UInt16, serial: String?)
        /// Whatever is plugged in at this port, "1-1.2".
        case port(String)
    }

    public let device: Device
    /// From 0: devices with several lines have one for each connector or channel.
    public let line: Int

    private static let lines = 0...15

    public init(_ device: Device, line: Int = 0) {
        self.device = device
        self.line = line
    }

    /// Reads "usb:0403:6001:A600ABCD", "usb:0403:6001" or "usb:1-1.2"; the second line of a device has ":1" behind it, as in
    /// "usb:0403:6010:FT1:1", "usb:0403:6010::1" and "usb:1-1.2:1". Bytes of the serial number other than letters, digits,
    /// "-", "_" and "." are written as %XX. Nil for anything else.
    public init?(_ text: String) {
        guard text.hasPrefix("usb:") else { return nil }
        var parts = text.dropFirst(4).split(separator: ":", omittingEmptySubsequences: false)
        if let first = parts.first, Self.isPort(first) {
            guard let line = Self.line(parts.dropFirst()) else { return nil }
            self.init(.port(String(first)), line: line)
            return
        }
        guard parts.count >= 2, let vendorId = USBDeviceText.id(parts[0]), let productId = USBDeviceText.id(parts[1])
        else { return nil }
        parts.removeFirst(2)
        guard let serial = parts.first else {
            self.init(.ids(vendorId: vendorId, productId: productId, serial: nil))
            return
        }
        guard let line = Self.line(parts.dropFirst()), let plain = USBDeviceText.unescape(serial) else { return nil }
        // An empty serial number only makes room for what is behind it.
        guard !plain.isEmpty || parts.count == 2 else { return nil }
        self.init(.ids(vendorId: vendorId, productId: productId, serial: plain.isEmpty ? nil : plain), line: line)
    }

    /// Whether a device is the one meant. `port`: its port path without prefix.
    public func isOn(vendorId: UInt16, productId: UInt16, serial: String?, port: String) -> Bool {
        switch device {
        case .ids(let vendor, let product, let wanted):
            vendor == vendorId && product == productId && (wanted == nil || wanted == serial)
        case .port(let wanted): wanted == port
        }
    }

    /// A bus, "-", and ports with points between them.
    private static func isPort(_ text: Substring) -> Bool {
        let halves = text.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return false }
        return ([halves[0]] + halves[1].split(separator: ".", omittingEmptySubsequences: false)).allSatisfy { part in
            !part.isEmpty && part.count <= 3 && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    /// 0 where nothing is said; nil for what is no line.
    private static func line(_ parts: ArraySlice<Substring>) -> Int? {
        guard let text = parts.first else { return 0 }
        guard parts.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let line = Int(text),
            lines.contains(line)
        else { return nil }
        return line
    }
}

extension USBLineName: CustomStringConvertible {
    /// What `init(_:)` reads; the first line is not said.
    public var description: String {
        let suffix = line > 0 ? ":\(line)" : ""
        switch device {
        case .port(let port): return "usb:\(port)" + suffix
        case .ids(let vendorId, let productId, let serial):
            let ids = "usb:\(USBDeviceText.hex(vendorId)):\(USBDeviceText.hex(productId))"
            guard let serial else { return ids + (line > 0 ? ":" : "") + suffix }
            return ids + ":" + USBDeviceText.escape(serial) + suffix
        }
    }
}
