import Bridge
import Configuration
import Discovery
import Readers
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

    /// The one place where a command line becomes a line: a simulated reader, a tty by its name, or the serial line of a
    /// USB device, by its tty or without the kernel.
    static func source(
        _ arguments: ParsedArguments, _ settings: SerialSettings, clock: any MonotonicClock
    ) throws(CommandFailure) -> any LineSource {
        switch (arguments["--simulate"], arguments["--reader"], arguments["--port"]) {
        case (let card?, nil, nil):
            let family = arguments["--simulate-reader"].flatMap(SimulatedLine.Family.init) ?? .neo2
            return try SimulatedLine(card: card, family: family, clock: clock)
        case (nil, let name?, nil) where name.contains("/") && !name.hasPrefix("/dev/bus/usb/"):
            return TTYLineSource(path: name)
        case (nil, let name?, nil): return DiscoveredLine(.named(name), try configured(arguments))
        case (nil, nil, let port?): return DiscoveredLine(.port(port), try configured(arguments))
        case (nil, nil, nil): return DiscoveredLine(.port(try onlyPort()), try configured(arguments))
        default: throw CommandFailure(.usage, "Of --reader, --port and --simulate only one is given.")
        }
    }

    private static func configured(_ arguments: ParsedArguments) throws(CommandFailure) -> [ConfiguredUSBLine] {
        try ConfigurationFile.load(arguments["--config"]).readers.configuredUSBLines
    }

    /// The USB port of the only serial device that is plugged in.
    private static func onlyPort() throws(CommandFailure) -> String {
        let ports: Set<String>
        do throws(DiscoveryError) {
            let present = try DiscoveredLine.Present()
            ports = Set(
                present.ttys.filter { !$0.isIgnored }.compactMap { $0.usb?.sysname }
                    + present.lines.map(\.device.sysname))
        } catch {
            throw CommandFailure(.internalError, "Serial ports cannot be listed: \(error).")
        }
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
