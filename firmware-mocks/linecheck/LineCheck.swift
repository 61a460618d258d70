import Discovery
import Glibc
import Serial
import Transport

/// Does one thing with serial ports, for tests that need a process of its own: under umockdev, under libfaketime, or as
/// the second program on a port.
@main
struct LineCheck {
    static let usage = """
        usage: linecheck ttys            one line for each serial port that udev knows
               linecheck watch           "arrived NODE" and "departed NODE", until standard input ends
               linecheck hold PATH       opens a port, says "open", and holds it until standard input ends
               linecheck deadlines       waits with deadlines on a pair of its own
               linecheck idle            the processor time, in milliseconds, that a second of waiting costs
          Exit status: 0 as expected, 1 not, 64 usage.
        """

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("ttys", 1):
            for tty in try TTYMonitor.scan() { say(line(tty)) }
        case ("watch", 1):
            try await watch()
        case ("hold", 2):
            exit(await hold(arguments[1]))
        case ("deadlines", 1):
            exit(try await deadlines() ? 0 : 1)
        case ("idle", 1):
            try await idle()
        default:
            let text = Array((usage + "\n").utf8)
            _ = write(STDERR_FILENO, text, text.count)
            exit(64)
        }
    }

    /// "-" stands for what there is not.
    private static func line(_ tty: DiscoveredTTY) -> String {
        let usb = tty.usb.map { usb in
            let ids = [usb.vendorId, usb.productId].map { String($0, radix: 16) }.joined(separator: ":")
            return "\(ids) \(usb.sysname) \(usb.serial ?? "-") \(usb.interface.map(String.init) ?? "-")"
        }
        let properties = tty.properties.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return "\(tty.node) \(tty.driver ?? "-") \(usb ?? "-") \(tty.stableName ?? "-")"
            + " \(tty.linksById.joined(separator: ",")) \(tty.linksByPath.joined(separator: ","))"
            + " modem=\(tty.isModemManagerCandidate)" + properties
    }

    private static func watch() async throws {
        let monitor = try await TTYMonitor.start()
        let printing = Task {
            for await event in monitor.events() {
                switch event {
                case .arrived(let tty): say("arrived \(tty.node) \(tty.usb?.sysname ?? "-")")
                case .departed(let tty): say("departed \(tty.node) \(tty.usb?.sysname ?? "-")")
                }
            }
        }
        await standardInputEnds()
        await monitor.close()
        await printing.value
    }

    private static func hold(_ path: String) async -> Int32 {
        let context = SerialContext()
        var status: Int32 = 0
        do throws(TransportError) {
            let port = try await context.open(
                path, SerialSettings(baud: .b115200), until: .after(.seconds(10), on: SystemMonotonicClock.shared))
            say("open \(port.node) \(port.notes.count)")
            await standardInputEnds()
        } catch {
            say("\(error)")
            status = 1
        }
        await context.shutdown()
        return status
    }

    /// Reads, sends and waits that nothing answers: each must end at its deadline, whatever the clock of the wall does.
    private static func deadlines() async throws -> Bool {
        let clock = SystemMonotonicClock.shared
        let context = SerialContext()
        let terminal = try context.makeTerminal()
        let port = try await context.open(
            terminal.node, SerialSettings(baud: .b9600), until: .after(.seconds(10), on: clock))
        var codes: [TransportError.Code] = []
        for _ in 0..<3 {
            do throws(TransportError) {
                _ = try await port.receive(exactly: 1, until: .after(.milliseconds(50), on: clock))
            } catch { codes.append(error.code) }
        }
        do throws(TransportError) {
            try await port.send([UInt8](repeating: 0, count: 1 << 20), until: .after(.milliseconds(50), on: clock))
        } catch { codes.append(error.code) }
        await context.shutdown()
        say(codes.map(\.rawValue).joined(separator: " "))
        return codes == Array(repeating: .timedOut, count: 4)
    }

    /// Everything that can wait does: a terminal that nobody has open, a port with a receive, one whose input is full
    /// because nobody receives, and one whose other side has left.
    private static func idle() async throws {
        let clock = SystemMonotonicClock.shared
        let context = SerialContext()
        let settings = SerialSettings(baud: .b115200)
        let limit = Deadline.after(.seconds(30), on: clock)
        _ = try context.makeTerminal()
        let (quiet, full, left) = (try context.makeTerminal(), try context.makeTerminal(), try context.makeTerminal())
        let port = try await context.open(quiet.node, settings, until: limit)
        let waiting = Task { _ = try? await port.receive(atMost: 1, until: limit) }
        _ = try await context.open(full.node, settings, until: limit)
        let sending = Task { try? await full.send([UInt8](repeating: 0, count: 1 << 20), until: limit) }
        _ = try await context.open(left.node, settings, until: limit)
        await left.close()
        await clock.sleep(until: clock.now().advanced(by: .milliseconds(200)))
        let before = processorTime()
        await clock.sleep(until: clock.now().advanced(by: .seconds(1)))
        say("\((processorTime() - before) / .milliseconds(1))")
        waiting.cancel()
        sending.cancel()
        await context.shutdown()
    }

    private static func processorTime() -> Duration {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime].map { .seconds($0.tv_sec) + .microseconds($0.tv_usec) }
            .reduce(.zero, +)
    }

    /// At once: whoever reads the lines waits for them.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func standardInputEnds() async {
        guard let worker = try? BlockingWorker(named: "standard input") else { return }
        // Not by a stream: `readLine` holds the lock of its stream, which `fflush(nil)` waits for.
        await worker.run {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
        }
        worker.stop()
    }
}
