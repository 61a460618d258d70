public import USBDescriptors

/// A USB device as udev and sysfs show it: everything that can be known without opening it.
public struct DiscoveredDevice: Sendable, Hashable {
    /// One interface in its first alternate setting.
    public struct Interface: Sendable, Hashable {
        /// bInterfaceNumber.
        public var number: UInt8
        public var interfaceClass: UInt8
        public var subclass: UInt8
        public var interfaceProtocol: UInt8
        /// The kernel driver bound to it, for example "cdc_acm" or "usbfs"; nil when none is. As of the moment when the
        /// device was looked at.
        public var driver: String?

        public init(
            number: UInt8, interfaceClass: UInt8, subclass: UInt8, interfaceProtocol: UInt8, driver: String? = nil
        ) {
            self.number = number
            self.interfaceClass = interfaceClass
            self.subclass = subclass
            self.interfaceProtocol = interfaceProtocol
            self.driver = driver
        }
    }

    /// The sysfs path. It is the key of a plugged-in device from its arrival to its departure.
    public var syspath: String
    /// The last part of it, which is also the port path: "1-1.2" is bus 1, port 1, port 2 of the hub there.
    public var sysname: String
    public var busNumber: UInt8
    /// Counts up at every plug.
    public var deviceNumber: UInt8
    /// The device node, for example "/dev/bus/usb/001/002".
    public var node: String
    public var vendorId: UInt16
    public var productId: UInt16
    public var manufacturer: String?
    public var product: String?
    public var serial: String?
    /// Megabits per second, as sysfs writes it: "1.5", "12", "480", "5000".
    public var speed: String
    public var interfaces: [Interface]
    /// The device descriptor and all configurations, as they stand; parse with `DescriptorSet`.
    public var descriptors: [UInt8]
    /// udev properties that bear on whether and how the device is used; see `keptProperties`.
    public var properties: [String: String]

    public init(
        syspath: String, sysname: String, busNumber: UInt8, deviceNumber: UInt8, node: String, vendorId: UInt16,
        productId: UInt16, manufacturer: String? = nil, product: String? = nil, serial: String? = nil,
        speed: String = "12", interfaces: [Interface] = [], descriptors: [UInt8] = [],
        properties: [String: String] = [:]
    ) {
        self.syspath = syspath
        self.sysname = sysname
        self.busNumber = busNumber
        self.deviceNumber = deviceNumber
        self.node = node
        self.vendorId = vendorId
        self.productId = productId
        self.manufacturer = manufacturer
        self.product = product
        self.serial = serial
        self.speed = speed
        self.interfaces = interfaces
        self.descriptors = descriptors
        self.properties = properties
    }

    /// The udev properties that are kept.
    public static let keptProperties = [
        "READERKIT_IGNORE", "READERKIT_MODEL", "ID_MM_DEVICE_IGNORE", "ID_PATH", "ID_SERIAL_SHORT",
        "ID_SMARTCARD_READER",
        "TAGS",
    ]

    /// The port in the form that identities and commands use: "usb:1-1.2".
    public var portPath: String { "usb:" + sysname }

    /// True when a udev rule says READERKIT_IGNORE=1: the device belongs to another program.
    public var isIgnored: Bool { properties["READERKIT_IGNORE"] == "1" }

    /// The descriptors, parsed.
    public func parsedDescriptors() throws(DescriptorError) -> DescriptorSet {
        try DescriptorSet(parsing: descriptors)
    }
}
