public import StableCodes

/// What can go wrong on a link. `code` decides what to do; the rest is for people and logs. Never carries payload bytes
/// of a dialogue except in `partial`, which is not printed.
public struct TransportError: Error, Sendable, Hashable {
    public enum Code: String, DocumentedCode {
        /// The device has left (unplugged, hub power, end of file). The one error for it, on every bus.
        case gone
        /// The deadline passed. `partial` holds what had arrived.
        case timedOut
        /// The calling task was cancelled, and nothing had arrived.
        case cancelled
        /// This side closed the connection.
        case closed
        /// The device halted the pipe (USB STALL).
        case stalled
        /// The device sent more than was asked for.
        case overflow
        /// Another program or a kernel driver holds the device.
        case busy
        /// The operating system denies access to the node.
        case denied
        /// The link cannot do this.
        case unsupported
        /// Anything else; `underlying` names it.
        case failed
    }

    public let code: Code
    /// What was being done: "open", "send", "receive", "control", …
    public let operation: String
    /// The errno or library code by name, for example "LIBUSB_ERROR_IO".
    public let underlying: String?
    /// Bytes that had arrived when the wait ended.
    public let partial: [UInt8]

    public init(_ code: Code, during operation: String, underlying: String? = nil, partial: [UInt8] = []) {
        self.code = code
        self.operation = operation
        self.underlying = underlying
        self.partial = partial
    }
}

extension TransportError: CustomStringConvertible {
    public var description: String {
        let cause = underlying.map { " (\($0))" } ?? ""
        return "\(operation): \(code.rawValue)\(cause)"
    }
}
