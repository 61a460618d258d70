import Bridge
import Discovery
import Serial
import Transport

/// A tty that is looked up anew whenever it is opened: its node may have another number after each plug.
struct DiscoveredLine: LineSource {
    enum Choice: Sendable, Hashable {
        /// The USB port, "1-1.2": whatever serial device is plugged in there. Of several ports the first interface's.
        case port(String)
        /// "ttyUSB0", or a name in /dev/serial/by-id or by-path.
        case named(String)
    }

    let choice: Choice

    init(_ choice: Choice) {
        self.choice = choice
    }

    var title: String {
        switch choice {
        case .port(let port): "USB port \(port)"
        case .named(let name): name
        }
    }

    func open(
        _ settings: SerialSettings, on context: SerialContext, until deadline: Deadline
    ) async throws(TransportError) -> any SerialLine {
        let ttys: [DiscoveredTTY]
        do throws(DiscoveryError) {
            ttys = try TTYMonitor.scan()
        } catch {
            throw TransportError(.failed, during: "look for the reader", underlying: "\(error)")
        }
        guard let tty = Self.choose(choice, from: ttys) else {
            throw TransportError(.gone, during: "look for the reader")
        }
        return try await context.open(tty.node, settings, until: deadline)
    }

    static func choose(_ choice: Choice, from ttys: [DiscoveredTTY]) -> DiscoveredTTY? {
        let usable = ttys.filter { !$0.isIgnored }
        switch choice {
        case .port(let port):
            return usable.filter { $0.usb?.sysname == port }
                .min { ($0.usb?.interface ?? 0, $0.sysname) < ($1.usb?.interface ?? 0, $1.sysname) }
        case .named(let name):
            return usable.first { tty in
                tty.sysname == name
                    || (tty.linksById + tty.linksByPath).contains { $0 == name || $0.hasSuffix("/" + name) }
            }
        }
    }
}
