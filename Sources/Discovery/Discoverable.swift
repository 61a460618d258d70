/// A kind of device that udev knows and that is watched here.
protocol Discoverable: Sendable, Hashable {
    /// What udev calls it: "usb" and "usb_device".
    static var subsystem: String { get }
    /// Nil when the kind has none.
    static var deviceType: String? { get }

    /// The key of a plugged-in device from its arrival to its departure.
    var syspath: String { get }

    /// Everything there is to know now. Nil when it is none of this kind, is not complete, or is leaving already.
    init?(_ device: borrowing UdevDevice)

    /// Whether `other`, seen at the same place, has not been plugged out in between.
    func isSamePlug(as other: Self) -> Bool
}

extension DiscoveredDevice: Discoverable {
    static let subsystem = "usb"
    static let deviceType: String? = "usb_device"

    init?(_ device: borrowing UdevDevice) {
        guard let read = device.read() else { return nil }
        self = read
    }

    func isSamePlug(as other: DiscoveredDevice) -> Bool {
        deviceNumber == other.deviceNumber && busNumber == other.busNumber
    }
}
