import Bridge
import Glibc
import Transport

/// Measures what is between two ttys: a pseudo terminal whose far end plays the reader, and the one that a bridge offers.
///
/// The measuring itself is plain descriptors and poll(2) on one thread, so that it costs the same whatever is measured.
@main
struct BridgeBench {
    static let usage = """
        usage: bridgebench reader LINK                    makes the reader's tty, links it, says "ready", plays the
                                                          reader (sends back what it is sent) until standard input ends
               bridgebench source LINK BYTES              the same, but sends BYTES bytes for each byte that comes
               bridgebench bridge LINE LINK               what `readerctl bridge` does, in a program that is soon built
               bridgebench latency PATH COUNT             round trips of one byte through PATH: median nanoseconds
               bridgebench throughput PATH BYTES          asks for BYTES bytes by one byte: bytes per second
        """

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("reader", 2): play(arguments[1], answering: nil)
        case ("source", 3): play(arguments[1], answering: Int(arguments[2]))
        case ("bridge", 3): bridge(arguments[1], arguments[2])
        case ("latency", 3): latency(arguments[1], Int(arguments[2]) ?? 1000)
        case ("throughput", 3): throughput(arguments[1], Int(arguments[2]) ?? 1 << 24)
        default: fail(usage)
        }
    }

    static func fail(_ text: String) -> Never {
        let bytes = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        exit(64)
    }

    /// Until SIGTERM. A tty that is left without being given back would stay marked as taken.
    private static func bridge(_ line: String, _ link: String) -> Never {
        var ending = sigset_t()
        sigemptyset(&ending)
        sigaddset(&ending, SIGTERM)
        // Before there is another thread: each inherits it.
        pthread_sigmask(SIG_BLOCK, &ending, nil)
        let options = BridgeOptions(offer: .terminal(link: link), settings: SerialSettings(baud: .b115200))
        let bridge = SerialBridge(
            options, source: TTYLineSource(path: line), clock: SystemMonotonicClock.shared
        ) { _ in }
        let running = Task.detached {
            do throws(BridgeError) { try await bridge.run() } catch { fail("\(error)") }
            exit(0)
        }
        var signal: Int32 = 0
        sigwait(&ending, &signal)
        running.cancel()
        while true { pause() }
    }

    static func now() -> UInt64 { SystemMonotonicClock.shared.now().nanoseconds }
}

/// The reader.
extension BridgeBench {
    private static func play(_ link: String, answering amount: Int?) {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
        var (unlocked, number): (Int32, Int32) = (0, 0)
        guard master >= 0, ioctl(master, 0x4004_5431 as UInt, &unlocked) == 0,
            ioctl(master, 0x8004_5430 as UInt, &number) == 0
        else { fail("no pseudo terminal") }
        makeRaw(master)
        // Held open, so that the terminal is never hung up.
        let node = "/dev/pts/\(number)"
        _ = open(node, O_RDWR | O_NOCTTY)
        unlink(link)
        guard symlink(node, link) == 0 else { fail("no link") }
        print("ready")
        fflush(nil)
        answer(master, amount)
        unlink(link)
    }

    private static func answer(_ master: Int32, _ amount: Int?) {
        var buffer = [UInt8](repeating: 0x55, count: 65_536)
        var owed = 0
        while true {
            var polled = [
                pollfd(fd: master, events: Int16(POLLIN | (owed > 0 ? POLLOUT : 0)), revents: 0),
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            ]
            poll(&polled, 2, -1)
            if polled[1].revents != 0 { return }
            if polled[0].revents & Int16(POLLIN) != 0 {
                let count = read(master, &buffer, buffer.count)
                if count > 0 {
                    if let amount { owed += amount * count } else { writeAll(master, buffer, count) }
                }
            }
            if owed > 0 { owed -= max(0, write(master, buffer, min(owed, buffer.count))) }
        }
    }

    static func writeAll(_ descriptor: Int32, _ bytes: [UInt8], _ count: Int) {
        var sent = 0
        while sent < count {
            let taken = bytes[sent..<count].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if taken > 0 { sent += taken } else { poll(nil, 0, 0) }
        }
    }

    static func makeRaw(_ descriptor: Int32) {
        var settings = termios()
        tcgetattr(descriptor, &settings)
        cfmakeraw(&settings)
        tcsetattr(descriptor, TCSANOW, &settings)
    }
}

/// The client.
extension BridgeBench {
    private static func client(_ path: String) -> Int32 {
        let descriptor = open(path, O_RDWR | O_NOCTTY)
        guard descriptor >= 0 else { fail("cannot open \(path)") }
        makeRaw(descriptor)
        return descriptor
    }

    private static func latency(_ path: String, _ count: Int) {
        let descriptor = client(path)
        var byte: UInt8 = 0x41
        var spans: [UInt64] = []
        for round in 0..<count + 200 {
            let start = now()
            guard write(descriptor, &byte, 1) == 1, read(descriptor, &byte, 1) == 1 else { fail("the line is gone") }
            if round >= 200 { spans.append(now() - start) }
        }
        spans.sort()
        print(spans[spans.count / 2])
    }

    private static func throughput(_ path: String, _ amount: Int) {
        let descriptor = client(path)
        var byte: UInt8 = 0x41
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let start = now()
        guard write(descriptor, &byte, 1) == 1 else { fail("the line is gone") }
        var came = 0
        while came < amount {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { fail("the line is gone") }
            came += count
        }
        print(UInt64(came) * 1_000_000_000 / max(1, now() - start))
    }
}
