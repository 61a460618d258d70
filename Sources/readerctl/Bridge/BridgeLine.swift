import Bridge
import Discovery
import Transport

/// Which line `readerctl bridge` offers, by its options.
enum BridgeLine {
    static func settings(_ arguments: ParsedArguments) throws(CommandFailure) -> SerialSettings {
        let text = arguments["--baud"] ?? "115200"
        guard let number = UInt32(text), (50...12_000_000).contains(number), let baud = BaudRate(number) else {
            throw CommandFailure(.usage, "'\(text)' is no speed: say bits per second, for example --baud 115200.")
        }
        var settings = SerialSettings(baud: baud)
        settings.parity = arguments["--parity"].flatMap(SerialSettings.Parity.init) ?? .none
        settings.dataBits = arguments["--data-bits"].flatMap(UInt8.init).flatMap(SerialSettings.DataBits.init) ?? .eight
        settings.stopBits = arguments["--stop-bits"].flatMap(UInt8.init).flatMap(SerialSettings.StopBits.init) ?? .one
        settings.flow = arguments["--flow"].flatMap(SerialSettings.FlowControl.init) ?? .none
        return settings
    }

    /// The one place where a command line becomes a line: a simulated reader, a tty by its name, or the serial port of a
    /// USB device. A USB-serial chip that no kernel driver has is to be opened over libusb here.
    static func source(
        _ arguments: ParsedArguments, _ settings: SerialSettings, clock: any MonotonicClock
    ) throws(CommandFailure) -> any LineSource {
        switch (arguments["--simulate"], arguments["--reader"], arguments["--port"]) {
        case (let card?, nil, nil):
            let family = arguments["--simulate-reader"].flatMap(SimulatedLine.Family.init) ?? .neo2
            return try SimulatedLine(card: card, family: family, clock: clock)
        case (nil, let name?, nil) where name.contains("/"): return TTYLineSource(path: name)
        case (nil, let name?, nil): return DiscoveredLine(.named(name))
        case (nil, nil, let port?): return DiscoveredLine(.port(port))
        case (nil, nil, nil): return DiscoveredLine(.port(try onlyPort()))
        default: throw CommandFailure(.usage, "Of --reader, --port and --simulate only one is given.")
        }
    }

    /// The USB port of the only serial device that is plugged in.
    private static func onlyPort() throws(CommandFailure) -> String {
        let ports = Set(try DiscoveredLine.present().compactMap { $0.usb?.sysname })
        guard let port = ports.first else {
            throw CommandFailure(
                .noReader, "There is no serial reader. Plug it in, or name the port: --reader /dev/ttyS0.")
        }
        guard ports.count == 1 else {
            throw CommandFailure(
                .usage,
                "There are several serial devices. Choose one with --port: " + ports.sorted().joined(separator: ", ")
                    + ".")
        }
        return port
    }
}

extension DiscoveredLine {
    /// Every serial port that readers may be at.
    static func present() throws(CommandFailure) -> [DiscoveredTTY] {
        do throws(DiscoveryError) {
            return try TTYMonitor.scan().filter { !$0.isIgnored }
        } catch {
            throw CommandFailure(.internalError, "Serial ports cannot be listed: \(error).")
        }
    }
}
