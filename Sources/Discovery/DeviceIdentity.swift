internal import USBDescriptors

/// Which reader this is, across unplugging and restarts: its serial number when it has one that no other present device
/// of the same model shares, else the port it is plugged into.
public enum DeviceIdentity: Sendable, Hashable {
    case serial(vendorId: UInt16, productId: UInt16, serial: String)
    /// The port path without prefix: "1-1.2".
    case port(String)

    /// The identity of `device` among those plugged in (which may or may not contain it).
    public init(of device: DiscoveredDevice, among present: [DiscoveredDevice]) {
        let hasTwin = present.contains { other in
            other.syspath != device.syspath && other.vendorId == device.vendorId && other.productId == device.productId
                && other.serial == device.serial
        }
        if let serial = device.serial, !hasTwin, serial.contains(where: { $0 != "0" && $0 != " " }) {
            self = .serial(vendorId: device.vendorId, productId: device.productId, serial: serial)
        } else {
            self = .port(device.sysname)
        }
    }

    /// Whether `device` is the one meant, with `present` plugged in. A serial that has got a twin since is still
    /// matched by its twin too; the caller sees two matches and asks for the port.
    public func matches(_ device: DiscoveredDevice) -> Bool {
        switch self {
        case .serial(let vendorId, let productId, let serial):
            device.vendorId == vendorId && device.productId == productId && device.serial == serial
        case .port(let port):
            device.sysname == port
        }
    }

    /// Reads the string form; nil when it is none.
    public init?(_ text: String) {
        guard text.hasPrefix("usb:") else { return nil }
        let rest = text.dropFirst(4)
        let parts = rest.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        switch parts.count {
        case 1 where !rest.isEmpty:
            self = .port(String(rest))
        case 3:
            guard parts[0].count == 4, parts[1].count == 4, let vendorId = UInt16(parts[0], radix: 16),
                let productId = UInt16(parts[1], radix: 16), let serial = USBDeviceText.unescape(parts[2]),
                !serial.isEmpty
            else { return nil }
            self = .serial(vendorId: vendorId, productId: productId, serial: serial)
        default:
            return nil
        }
    }
}

extension DeviceIdentity: CustomStringConvertible {
    /// "usb:08e6:3437:SERIAL" or "usb:1-1.2". Stable: it is stored and compared. Bytes of the serial number other than
    /// letters, digits, "-", "_" and "." are written as %XX.
    public var description: String {
        switch self {
        case .serial(let vendorId, let productId, let serial):
            "usb:\(USBDeviceText.hex(vendorId)):\(USBDeviceText.hex(productId)):\(USBDeviceText.escape(serial))"
        case .port(let port):
            "usb:\(port)"
        }
    }
}
