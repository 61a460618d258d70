/// How a USB-serial port is opened.
public struct USBSerialOptions: Sendable, Hashable {
    /// Takes the port from the kernel's driver, whose tty then disappears, and gives it back at close. When false, a port
    /// that a driver holds is `.busy`.
    public var detachesKernelDriver: Bool
    /// DTR and RTS fall when the port is closed, which resets some devices.
    public var hangsUpOnClose: Bool
    /// How long "not there yet" and "not allowed yet" are taken for the short gap between a device's arrival and its
    /// access rights (udev still at work). Capped by the deadline.
    public var settlingTime: Duration

    public init(
        detachesKernelDriver: Bool = true, hangsUpOnClose: Bool = true, settlingTime: Duration = .seconds(1)
    ) {
        self.detachesKernelDriver = detachesKernelDriver
        self.hangsUpOnClose = hangsUpOnClose
        self.settlingTime = settlingTime
    }
}
