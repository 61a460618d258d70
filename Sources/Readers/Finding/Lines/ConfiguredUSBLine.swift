import Discovery
public import Transport
public import USBDescriptors

/// A serial line of a USB device that somebody has named as one with a reader at it.
public struct ConfiguredUSBLine: Sendable, Hashable {
    public var name: USBLineName
    /// `.ccid` is not spoken on a serial line: such a line cannot be opened.
    public var family: ReaderFamily
    public var baud: BaudRate
    /// The chip is driven over USB even where the kernel has made a tty: its driver is taken away while the reader is open.
    public var isDirect: Bool

    public init(_ name: USBLineName, family: ReaderFamily, baud: BaudRate, isDirect: Bool = false) {
        self.name = name
        self.family = family
        self.baud = baud
        self.isDirect = isDirect
    }
}

extension ConfiguredUSBLine {
    /// Whether a port may be one of the device that is meant, whichever of its lines.
    func isOn(_ port: DiscoveredTTY) -> Bool {
        guard let usb = port.usb else { return false }
        return name.isOn(vendorId: usb.vendorId, productId: usb.productId, serial: usb.serial, port: usb.sysname)
    }
}
