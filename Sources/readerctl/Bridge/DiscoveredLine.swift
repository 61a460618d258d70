import Bridge
import Discovery
import Readers
import Serial
import Transport
import USBDescriptors

/// The serial line of a device that is looked up anew whenever it is opened: its node may have another number after each
/// plug. It is opened by its tty, or over USB when it has none or when the configuration wants it so.
struct DiscoveredLine: LineSource {
    enum Choice: Sendable, Hashable {
        /// The USB port, "1-1.2": whatever serial device is plugged in there. Of several lines the first.
        case port(String)
        /// "ttyUSB0", a name in /dev/serial/by-id or by-path, a reader's id, or the node of a USB device.
        case named(String)
    }

    /// What is plugged in.
    struct Present {
        let ttys: [DiscoveredTTY]
        let lines: [USBLine]

        init() throws(DiscoveryError) {
            ttys = try TTYMonitor.scan()
            lines = USBLine.all(in: try DeviceMonitor.scan(), ttys)
        }
    }

    enum Way {
        case tty(DiscoveredTTY)
        case usb(USBLine, takesFromKernel: Bool)
    }

    let choice: Choice
    private let configured: [ConfiguredUSBLine]
    private let opener = USBLineOpener()

    init(_ choice: Choice, _ configured: [ConfiguredUSBLine] = []) {
        self.choice = choice
        self.configured = configured
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
        let present: Present
        do throws(DiscoveryError) {
            present = try Present()
        } catch {
            throw TransportError(.failed, during: "look for the reader", underlying: "\(error)")
        }
        switch Self.way(to: choice, ttys: present.ttys, lines: present.lines, configured) {
        case .tty(let tty): return try await context.open(tty.node, settings, until: deadline)
        case .usb(let line, let takesFromKernel):
            do throws(TransportError) {
                return try await opener.open(line, settings, takesFromKernel: takesFromKernel, until: deadline)
            } catch {
                throw Self.explained(error, line, takesFromKernel)
            }
        case nil: throw TransportError(.gone, during: "look for the reader")
        }
    }

    func close() async { await opener.close() }

    /// The tty goes first, unless the configuration wants the chip directly.
    static func way(
        to choice: Choice, ttys: [DiscoveredTTY], lines: [USBLine], _ configured: [ConfiguredUSBLine] = []
    ) -> Way? {
        if let line = self.line(choice, from: lines) {
            let takesFromKernel = configured.first { line.isNamed(by: $0.name) }?.isDirect ?? false
            guard let tty = line.tty, !takesFromKernel else { return .usb(line, takesFromKernel: takesFromKernel) }
            return tty.isIgnored ? nil : .tty(tty)
        }
        return choose(choice, from: ttys).map(Way.tty)
    }

    private static func line(_ choice: Choice, from lines: [USBLine]) -> USBLine? {
        switch choice {
        case .port(let port):
            return lines.first { $0.device.sysname == port }
        case .named(let name):
            // The id of a reader at a tty is that of its device with another beginning.
            let id = name.hasPrefix("tty:") ? "usb:" + name.dropFirst(4) : name
            let meant = USBLineName(id)
            return lines.first { line in meant.map(line.isNamed) ?? (line.device.node == name) }
        }
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

    /// Says what a person can do about a chip that cannot be opened.
    private static func explained(_ error: TransportError, _ line: USBLine, _ takesFromKernel: Bool) -> TransportError {
        let holders = NodeHolder.all(of: line.device.node).map { "\($0.name) (process \($0.processId))" }
        let sentence: String? =
            switch (error.code, line.kernelDriver) {
            case (.denied, _): "access to \(line.device.node) is denied; 'readerctl probe --intrusive' names the fix"
            case (.busy, _) where !holders.isEmpty: "it is held by \(holders.joined(separator: ", "))"
            case (.busy, let driver?) where !takesFromKernel:
                "the kernel driver \(driver) has it; \"direct\": true in readers.usbSerial of the configuration takes it away"
            default: error.underlying
            }
        return TransportError(error.code, during: error.operation, underlying: sentence)
    }
}
