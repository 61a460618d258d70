/// How a device is opened.
public struct USBOpenOptions: Sendable, Hashable {
    /// Takes the interface from a kernel driver that holds it, and gives it back at close. When false, a held interface
    /// is `.busy`.
    public var detachesKernelDriver: Bool
    /// Ends a bulk OUT transfer whose size is a multiple of the packet size by a zero-length packet.
    public var endsTransfersWithZeroLengthPacket: Bool
    /// How long "not there yet" and "not allowed yet" are taken for the short gap between a device's arrival and its
    /// access rights (udev still at work). Capped by the deadline.
    public var settlingTime: Duration

    public init(
        detachesKernelDriver: Bool = true, endsTransfersWithZeroLengthPacket: Bool = false,
        settlingTime: Duration = .seconds(1)
    ) {
        self.detachesKernelDriver = detachesKernelDriver
        self.endsTransfersWithZeroLengthPacket = endsTransfersWithZeroLengthPacket
        self.settlingTime = settlingTime
    }
}
