import Glibc

/// What the client polls: libusb takes POLLOUT on a usbfs node for "a transfer can be reaped" and POLLERR for "the device
/// is gone". A pty can say both. While its output is stopped the slave has no POLLOUT; when the master closes, the slave
/// has POLLERR and POLLHUP.
struct PollGate {
    private let master: Int32
    private let slave: Int32
    /// The slave's node, which the client's device node links to.
    let path: String
    private(set) var isOpen: Bool

    /// A gate that is closed: nothing to reap. Both ends are close-on-exec: a program started while the gate exists would
    /// keep the master, and the client would never see it close.
    init() throws(MockBusError) {
        // The constants are macros that Swift does not import: TIOCSPTLCK unlocks the slave, TIOCGPTN answers its number.
        let unlockSlave: UInt = 0x4004_5431
        let slaveNumber: UInt = 0x8004_5430
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard master >= 0 else { throw .current("cannot open /dev/ptmx") }
        var unlocked: Int32 = 0
        var number: Int32 = 0
        guard ioctl(master, unlockSlave, &unlocked) == 0, ioctl(master, slaveNumber, &number) == 0 else {
            let error = MockBusError.current("cannot unlock a pty")
            Glibc.close(master)
            throw error
        }
        let path = "/dev/pts/\(number)"
        let slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else {
            let error = MockBusError.current("cannot open \(path)")
            Glibc.close(master)
            throw error
        }
        var settings = termios()
        tcgetattr(slave, &settings)
        cfmakeraw(&settings)
        tcsetattr(slave, TCSANOW, &settings)
        tcflow(slave, TCOOFF)
        self.master = master
        self.slave = slave
        self.path = path
        isOpen = false
    }

    /// Open: something can be reaped.
    mutating func set(open: Bool) {
        guard open != isOpen else { return }
        tcflow(slave, open ? TCOON : TCOOFF)
        isOpen = open
    }

    /// The device is gone.
    func hangUp() {
        Glibc.close(slave)
        Glibc.close(master)
    }
}
