/// A serial port as udev and sysfs show it: everything that can be known without opening it. Only ports with hardware
/// behind them: no virtual consoles, no pseudo terminals, no UART that the kernel has not found.
public struct DiscoveredTTY: Sendable, Hashable {
    /// The USB device that the port belongs to.
    public struct USBParent: Sendable, Hashable {
        /// As `DiscoveredDevice.syspath`.
        public var syspath: String
        /// The port path without prefix: "1-1.2".
        public var sysname: String
        /// Counts up at every plug.
        public var deviceNumber: UInt8
        public var vendorId: UInt16
        public var productId: UInt16
        public var manufacturer: String?
        public var product: String?
        public var serial: String?
        /// bInterfaceNumber of the interface behind the port: a device with several ports has one for each.
        public var interface: UInt8?

        public init(
            syspath: String, sysname: String, deviceNumber: UInt8, vendorId: UInt16, productId: UInt16,
            manufacturer: String? = nil, product: String? = nil, serial: String? = nil, interface: UInt8? = nil
        ) {
            self.syspath = syspath
            self.sysname = sysname
            self.deviceNumber = deviceNumber
            self.vendorId = vendorId
            self.productId = productId
            self.manufacturer = manufacturer
            self.product = product
            self.serial = serial
            self.interface = interface
        }
    }

    /// The sysfs path. It is the key of a port from its arrival to its departure.
    public var syspath: String
    /// The kernel's name, for example "ttyUSB0". The number changes from plug to plug.
    public var sysname: String
    /// The device node, for example "/dev/ttyUSB0".
    public var node: String
    /// The names in /dev/serial/by-id, made of the device's own names. Two devices of one make without serial numbers
    /// have the same, and only one of them gets the link.
    public var linksById: [String]
    /// The names in /dev/serial/by-path, made of where the device is plugged in.
    public var linksByPath: [String]
    /// The kernel driver: "cdc_acm", "ftdi_sio", "cp210x", "ch341", "pl2303", "serial" …
    public var driver: String?
    /// Nil of a port that is built in.
    public var usb: USBParent?
    /// udev properties that bear on whether and how the port is used; see `keptProperties`.
    public var properties: [String: String]

    public init(
        syspath: String, sysname: String, node: String, linksById: [String] = [], linksByPath: [String] = [],
        driver: String? = nil, usb: USBParent? = nil, properties: [String: String] = [:]
    ) {
        self.syspath = syspath
        self.sysname = sysname
        self.node = node
        self.linksById = linksById
        self.linksByPath = linksByPath
        self.driver = driver
        self.usb = usb
        self.properties = properties
    }

    /// The udev properties that are kept.
    public static let keptProperties = [
        "READERKIT_IGNORE", "READERKIT_MODEL", "ID_MM_CANDIDATE", "ID_MM_DEVICE_IGNORE", "ID_MM_DEVICE_PROCESS",
        "ID_MM_PORT_IGNORE", "ID_MM_TTY_BLACKLIST", "ID_PATH", "ID_SERIAL_SHORT", "TAGS",
    ]

    /// The name that stays the same over unplugging and restarts: by what the device is when it says a serial number, else
    /// by where it is plugged in. Nil without either; then only `node` is left.
    public var stableName: String? {
        usb?.serial == nil ? linksByPath.first : linksById.first ?? linksByPath.first
    }

    /// True when a udev rule says READERKIT_IGNORE=1: the device belongs to another program.
    public var isIgnored: Bool { properties["READERKIT_IGNORE"] == "1" }

    /// True when ModemManager may open the port and ask whether it is a modem: a candidate by its rules, and not excepted.
    public var isModemManagerCandidate: Bool {
        properties["ID_MM_CANDIDATE"] == "1" && properties["ID_MM_DEVICE_IGNORE"] != "1"
            && properties["ID_MM_PORT_IGNORE"] != "1"
    }
}
