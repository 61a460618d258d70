public import Transport

/// How a port is opened.
public struct SerialOpenOptions: Sendable, Hashable {
    /// DTR and RTS fall when the port is closed (HUPCL), which resets some devices.
    public var hangsUpOnClose: Bool
    /// Throws away what has arrived before the open, for example the answers to another program.
    public var discardsInput: Bool
    /// How long "not there yet" and "not allowed yet" are taken for the short gap between a device's arrival and its
    /// access rights (udev still at work). Capped by the deadline.
    public var settlingTime: Duration
    /// How long `close()` lets bytes that were sent go out, at most; the rest is thrown away.
    public var lingerTime: Duration
    /// Where the lock files of older programs are.
    public var lockDirectory: String

    public init(
        hangsUpOnClose: Bool = true, discardsInput: Bool = true, settlingTime: Duration = .seconds(1),
        lingerTime: Duration = .milliseconds(500), lockDirectory: String = "/run/lock"
    ) {
        self.hangsUpOnClose = hangsUpOnClose
        self.discardsInput = discardsInput
        self.settlingTime = settlingTime
        self.lingerTime = lingerTime
        self.lockDirectory = lockDirectory
    }
}

/// What an open port does not do as it was asked to. None of it keeps the port from working.
public enum SerialNote: Sendable, Hashable {
    /// flock(2) or TIOCEXCL was refused, with the errno's name: another program may open the port as well.
    case notExclusive(String)
    /// The driver has kept other settings than it was given.
    case settingsDiffer(asked: SerialSettings, kept: SerialSettings)
}
