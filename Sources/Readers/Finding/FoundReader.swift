/// A reader that is plugged in (or simulated), before anybody opened it.
public struct FoundReader: Sendable, Hashable {
    public enum Link: String, Sendable, Hashable {
        case usb, tty, simulated
    }

    /// Stable over replug and restart: by serial number, else by port. What `--reader` takes.
    public var id: String
    /// Nil of a serial port where nothing has answered.
    public var family: ReaderFamily?
    /// For people: the catalogue's name, else what the device calls itself.
    public var model: String
    public var vendorId: UInt16?
    public var productId: UInt16?
    public var serial: String?
    public var link: Link
    /// `usb:1-1.2`.
    public var port: String?
    /// The device node that is opened.
    public var node: String?
    /// Of a reader at a serial line.
    public var line: SerialLineFacts?

    public init(
        id: String, family: ReaderFamily?, model: String, vendorId: UInt16? = nil, productId: UInt16? = nil,
        serial: String? = nil, link: Link, port: String? = nil, node: String? = nil,
        line: SerialLineFacts? = nil
    ) {
        self.id = id
        self.family = family
        self.model = model
        self.vendorId = vendorId
        self.productId = productId
        self.serial = serial
        self.link = link
        self.port = port
        self.node = node
        self.line = line
    }
}
