public import Serial
public import Transport

/// Where a bridge gets its line from, at the start and again whenever the reader has left.
public protocol LineSource: Sendable {
    /// For people: "/dev/ttyUSB0", "USB port 1-1.2".
    var title: String { get }

    /// Opens the line that is there now. A tty is opened by `context`, whose loop then moves its bytes itself.
    /// - Throws: `.gone` when it is not there; else why it cannot be opened.
    func open(
        _ settings: SerialSettings, on context: SerialContext, until deadline: Deadline
    ) async throws(TransportError) -> any SerialLine

    /// Frees what opening has needed. Lines are closed before.
    func close() async
}

extension LineSource {
    public func close() async {}
}

/// A tty by its name: "/dev/ttyUSB0", or a link that stays the same from plug to plug.
public struct TTYLineSource: LineSource {
    public let path: String
    private let options: SerialOpenOptions

    public init(path: String, options: SerialOpenOptions = SerialOpenOptions()) {
        self.path = path
        self.options = options
    }

    public var title: String { path }

    public func open(
        _ settings: SerialSettings, on context: SerialContext, until deadline: Deadline
    ) async throws(TransportError) -> any SerialLine {
        try await context.open(path, settings, options: options, until: deadline)
    }
}
