/// The firmware of a device at the far end of a byte stream: a serial line, CDC-ACM, a socket. Bytes in, effects out; no
/// file descriptor, no thread, no clock, so that the same object runs in process and behind a pty. Not thread-safe: its
/// owner holds a lock.
///
/// Times are durations since the owner's own start; they never go back.
public protocol SerialFirmware: AnyObject {
    /// Bytes from the host, cut anywhere.
    func receive(_ bytes: [UInt8], at now: Duration) -> [SerialEffect]

    /// When the device next has something to do of its own accord.
    var nextDue: Duration? { get }

    /// Time has passed: emits every delayed effect that is due.
    func advance(to now: Duration) -> [SerialEffect]

    /// The device was plugged in (again): volatile state is gone.
    func powerCycled()

    /// A steering command in words. Answers nil on success, else a sentence that says what it did not understand.
    func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect])
}

public enum SerialEffect: Sendable, Hashable {
    /// Bytes to the host, in one piece: an owner that can keeps pieces apart, so that the host reads them one by one.
    case bytes([UInt8])
    /// The line hangs up.
    case unplug
    /// The device comes back.
    case plug
}
