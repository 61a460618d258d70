import Configuration
import Readers
import Transport

extension Installation {
    /// The serial ports that the configuration names.
    var configuredTTYs: [ConfiguredTTY] {
        configuration.readers.ttys.compactMap { tty in
            guard let family = ReaderFamily(rawValue: tty.family.rawValue), let baud = BaudRate(tty.baud) else {
                return nil
            }
            return ConfiguredTTY(path: tty.path, family: family, baud: baud)
        }
    }
}
