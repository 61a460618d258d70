/// The requests of usbfs that libusb makes (linux/usbdevice_fs.h, 64-bit).
enum IoctlCode: UInt32, Sendable {
    case control = 0xC018_5500
    case bulk = 0xC018_5502
    case resetEndpoint = 0x8004_5503
    case setInterface = 0x8008_5504
    case setConfiguration = 0x8004_5505
    case getDriver = 0x4104_5508
    case submit = 0x8038_550A
    case discard = 0x0000_550B
    case reap = 0x4008_550C
    case reapNoDelay = 0x4008_550D
    case claimInterface = 0x8004_550F
    case releaseInterface = 0x8004_5510
    case connectInfo = 0x4008_5511
    case interfaceIoctl = 0xC010_5512
    case reset = 0x0000_5514
    case clearHalt = 0x8004_5515
    case getCapabilities = 0x8004_551A
    case disconnectClaim = 0x8108_551B
    case getSpeed = 0x0000_551F
    /// TCGETS, from isatty: no terminal, and nothing to complain about.
    case terminalSettings = 0x0000_5401

    /// Inside `interfaceIoctl`: take the kernel driver off the interface.
    static let disconnectDriver: UInt32 = 0x5516
    /// Inside `interfaceIoctl`: bind the kernel driver again.
    static let connectDriver: UInt32 = 0x5517
}
