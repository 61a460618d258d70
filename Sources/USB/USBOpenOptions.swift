/// How a device is opened.
public struct USBOpenOptions: Sendable, Hashable {
    /// Takes the interface from a kernel driver that holds it, and gives it back at close. When false, a held interface
    /// is `.busy`.
    public var detachesKernelDriver: Bool
    /// Ends a bulk OUT transfer whose size is a multiple of the packet size by a zero-length packet.
    public var endsTransfersWithZeroLengthPacket: Bool
    /// Numbers (bInterfaceNumber) of interfaces that are claimed and given back together with the chosen one: a function
    /// of the device may need several. The chosen one's notifications come from them when it has no such pipe itself.
    public var companions: [UInt8]
    /// How long "not there yet" and "not allowed yet" are taken for the short gap between a device's arrival and its
    /// access rights (udev still at work). Capped by the deadline.
    public var settlingTime: Duration

    public init(
        detachesKernelDriver: Bool = true, endsTransfersWithZeroLengthPacket: Bool = false,
        companions: [UInt8] = [], settlingTime: Duration = .seconds(1)
    ) {
        self.detachesKernelDriver = detachesKernelDriver
        self.endsTransfersWithZeroLengthPacket = endsTransfersWithZeroLengthPacket
        self.companions = companions
        self.settlingTime = settlingTime
    }
}
