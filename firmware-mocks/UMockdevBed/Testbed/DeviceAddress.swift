/// Where a device is: its port, which stays, and its device number, which is new at every plug.
struct DeviceAddress: Sendable, Hashable {
    static let busNumber = 1
    static let hubPath = "devices/pci0000:00/0000:00:14.0/usb1"

    /// `1-1`, or `usb1` for the root hub.
    var port: String
    /// 1 to 127; 1 is the root hub.
    var number: Int

    static let hub = DeviceAddress(port: "usb1", number: 1)

    var isHub: Bool { port == "usb1" }
    /// Below `/sys`.
    var sysPath: String { isHub ? Self.hubPath : Self.hubPath + "/" + port }
    /// The path within the bus, as the attribute `devpath` has it.
    var devicePath: String { isHub ? "0" : String(port.drop { $0 != "-" }.dropFirst()) }
    var minor: Int { number - 1 }
    var busText: String { FixedWidth.decimal(Self.busNumber, digits: 3) }
    var numberText: String { FixedWidth.decimal(number, digits: 3) }
    /// Below `/dev`.
    var node: String { "bus/usb/\(busText)/\(numberText)" }
    /// Below the testbed: what makes the preload report the node as a character device.
    var nodeNumberFile: String { "dev/.node/bus_usb_\(busText)_\(numberText)" }
    /// Below the testbed: the socket of the ioctl server.
    var socket: String { "ioctl/dev/\(node)" }
    /// Below the testbed: udev's database entry.
    var database: String { "run/udev/data/c189:\(minor)" }

    func interfaceName(_ number: UInt8) -> String {
        (isHub ? "1-0" : port) + ":1.\(number)"
    }
}
