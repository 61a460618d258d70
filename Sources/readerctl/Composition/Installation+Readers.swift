import Configuration
import Readers
import Transport

extension Installation {
    /// The readers that are plugged in.
    func makeHardwareSource() -> AllReadersSource {
        let (ttys, lines) = (configuration.readers.configuredTTYs, configuration.readers.configuredUSBLines)
        return AllReadersSource(
            usb: USBReaderSource(clock: clock),
            chips: ChipReaderSource(configured: lines, isIntrusive: isIntrusive, clock: clock),
            ttys: TTYReaderSource(configured: ttys, named: lines, isIntrusive: isIntrusive, clock: clock))
    }
}

extension ReadersSection {
    /// The serial ports that the configuration names.
    var configuredTTYs: [ConfiguredTTY] {
        ttys.compactMap { tty in
            guard let family = ReaderFamily(rawValue: tty.family.rawValue), let baud = BaudRate(tty.baud) else {
                return nil
            }
            return ConfiguredTTY(path: tty.path, family: family, baud: baud)
        }
    }

    /// The USB-serial chips that it names.
    var configuredUSBLines: [ConfiguredUSBLine] {
        usbSerial.compactMap { chip in
            guard let family = ReaderFamily(rawValue: chip.family.rawValue), let baud = BaudRate(chip.baud) else {
                return nil
            }
            return ConfiguredUSBLine(chip.device, family: family, baud: baud, isDirect: chip.isDirect)
        }
    }
}
