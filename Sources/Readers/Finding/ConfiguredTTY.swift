public import Transport

/// A serial port that somebody has named as one with a reader behind it.
public struct ConfiguredTTY: Sendable, Hashable {
    /// The node, or a link to it, such as `/dev/serial/by-id/…`.
    public var path: String
    /// `.ccid` is not spoken on a serial line: such a port cannot be opened.
    public var family: ReaderFamily
    public var baud: BaudRate

    public init(path: String, family: ReaderFamily, baud: BaudRate) {
        self.path = path
        self.family = family
        self.baud = baud
    }
}
