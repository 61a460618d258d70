import Discovery
public import Transport
import USBSerial

/// The serial line that a reader is at, for people.
public struct SerialLineFacts: Sendable, Hashable {
    /// The chip that makes the line, "FTDI FT232R"; nil when it is not known.
    public var chip: String?
    /// The driver of the kernel that has it now.
    public var kernelDriver: String?
    /// The tty that this driver has made.
    public var tty: String?
    /// The node by which libusb reaches the chip.
    public var usbNode: String?
    /// The speed that the reader is used at.
    public var baud: BaudRate
    /// Owner, group and mode of the node that is opened.
    public var access: String?

    public init(
        chip: String? = nil, kernelDriver: String? = nil, tty: String? = nil, usbNode: String? = nil, baud: BaudRate,
        access: String? = nil
    ) {
        self.chip = chip
        self.kernelDriver = kernelDriver
        self.tty = tty
        self.usbNode = usbNode
        self.baud = baud
        self.access = access
    }

    /// - Parameter opened: the node that is opened.
    init(_ line: USBLine?, tty: DiscoveredTTY?, opened: String, baud: BaudRate) {
        self.init(
            chip: line?.function.chip.name, kernelDriver: tty?.driver ?? line?.kernelDriver, tty: tty?.node,
            usbNode: line?.device.node, baud: baud,
            access: NodeAccess.of(opened).map { "\($0.owner):\($0.group), mode \(String($0.mode, radix: 8))" })
    }
}
