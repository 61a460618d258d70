import Glibc
public import Transport

/// A pseudo terminal of our own: `node` is a tty that other programs open as they would a serial port, and this is the
/// other end of it, as a byte pipe. Made by `SerialContext.makeTerminal`.
///
/// It outlives the programs that use it: one that leaves ends nothing, and what it had not read is thrown away. While
/// nobody has the node open, `send` waits for somebody and `receive` for bytes. It never answers `.gone`.
public final class PseudoTerminal: Transport, Sendable {
    /// The tty for other programs, for example "/dev/pts/3".
    public let node: String
    public let traits = TransportTraits(packetSize: 1, hasEvents: false, hasControl: false)

    let channel: ByteChannel
    private let master: Int32

    init(on loop: SerialLoop, context: SerialContext) throws(TransportError) {
        let master: Int32
        let watch: OpenWatch
        do throws(SystemError) {
            (master, node) = try Self.open()
        } catch {
            throw error.transportError(during: "make a pseudo terminal")
        }
        do throws(SystemError) {
            try Self.prepare(master, node)
            watch = try OpenWatch(on: node)
        } catch {
            Glibc.close(master)
            throw error.transportError(during: "make a pseudo terminal")
        }
        self.master = master
        // Nothing makes the close of a pseudo terminal wait.
        channel = ByteChannel(master, watch: watch, loop: loop) { key, released in
            Glibc.close(master)
            context.forget(key)
            released()
        }
        guard loop.add(channel) else {
            Glibc.close(master)
            throw TransportError(.closed, during: "make a pseudo terminal")
        }
    }

    var key: ObjectIdentifier { ObjectIdentifier(channel) }

    /// Whether a program has the node open.
    public var hasClient: Bool { channel.isPeerThere }

    /// Returns when a program has the node open, or, with `isThere` false, when none has.
    public func waitForClient(isThere: Bool = true, until deadline: Deadline) async throws(TransportError) {
        try await channel.waitForPeer(isThere: isThere, until: deadline)
    }

    /// What the program on the other side has set its tty to. (The kernel keeps no parity on a pseudo terminal.)
    /// - Throws: `.unsupported` when it has set the speed to 0.
    public func settings(until deadline: Deadline) async throws(TransportError) -> SerialSettings {
        try channel.beginOperation("read the settings", until: deadline)
        defer { channel.endOperation() }
        do throws(SystemError) {
            let settings = try TerminalAttributes(of: master).settings
            guard let settings else {
                throw SystemError(EINVAL)
            }
            return settings
        } catch {
            throw error.transportError(during: "read the settings")
        }
    }

    public func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        try await channel.send(bytes, until: deadline)
    }

    public func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await channel.receive(atMost: count, until: deadline)
    }

    public func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        throw TransportError(.unsupported, during: "receive event")
    }

    public func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        throw TransportError(.unsupported, during: "control")
    }

    public func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {}

    /// The programs that have the node open see their terminal hang up.
    public func close() async {
        await channel.close()
    }

    /// A new terminal pair: the descriptor of the controlling end, and the name of the other.
    private static func open() throws(SystemError) -> (master: Int32, node: String) {
        // posix_openpt and its sisters are not in the toolchain's module of glibc; these requests are what they make.
        // TIOCSPTLCK unlocks the node, TIOCGPTN answers its number.
        let unlock: UInt = 0x4004_5431
        let number: UInt = 0x8004_5430
        let master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard master >= 0 else { throw .last }
        var unlocked: Int32 = 0
        var index: Int32 = 0
        guard ioctl(master, unlock, &unlocked) == 0, ioctl(master, number, &index) == 0 else {
            let error = SystemError.last
            Glibc.close(master)
            throw error
        }
        return (master, "/dev/pts/\(index)")
    }

    /// Raw, and "nobody is on the other side" as the poll shows it: true only once somebody has been there.
    private static func prepare(_ master: Int32, _ node: String) throws(SystemError) {
        var attributes = try TerminalAttributes(of: master)
        attributes.makeRaw()
        attributes.set(SerialSettings(baud: .b115200), hangsUp: true)
        // The usual way of a program that reads without looking: wait for a byte.
        attributes.setCharacter(VMIN, to: 1)
        try attributes.apply(to: master)
        let other = Glibc.open(node, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard other >= 0 else { throw .last }
        Glibc.close(other)
    }
}
