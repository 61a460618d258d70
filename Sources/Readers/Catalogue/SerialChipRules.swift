import USBSerial

/// The text of `udev/61-readerkit-usb-serial.rules`: access to serial chips, each to be asked for. All sorts of devices bear
/// their ids, so every line of a chip is a comment until somebody takes the "#" away.
public enum SerialChipRules {
    public static let fileName = "61-readerkit-usb-serial.rules"

    public static var text: String {
        var lines = [
            "# Serial chips with a card reader behind them, for ReaderKit. Made from the table of chips by `make generate`.",
            "#",
            "# These ids stand on devices of all kinds: as it is, this file changes nothing. Take the first '#' from the line",
            "# of your chip, and better add its serial number (lsusb -v shows it), so that other devices stay as they are:",
            "#   ATTRS{idVendor}==\"0403\", ATTRS{idProduct}==\"6001\", ATTRS{serial}==\"A600ABCD\", \(mark)",
            "# A reader with a CDC-ACM port of its own needs a line with its ids, unless \(UdevRules.fileName) has it.",
            "#",
            "# Then the group \(ReaderCatalogue.group), and the person at the seat, may use the chip and its tty, and ModemManager",
            "# leaves both alone.",
            "",
            "ACTION==\"remove\", GOTO=\"readerkit_chip_end\"",
            "SUBSYSTEM!=\"usb|tty\", GOTO=\"readerkit_chip_end\"",
            "SUBSYSTEM==\"usb\", ENV{DEVTYPE}!=\"usb_device\", GOTO=\"readerkit_chip_end\"",
            "ENV{\(ReaderCatalogue.ignoreProperty)}==\"1\", GOTO=\"readerkit_chip_end\"",
            "",
        ]
        for ids in SerialChipIds.all {
            lines.append("# \(ids.name)")
            lines.append("#" + line(ids))
        }
        lines += [
            "",
            "ENV{READERKIT_CHIP}==\"1\", GROUP=\"\(ReaderCatalogue.group)\", MODE=\"0660\", TAG+=\"uaccess\"",
            "ENV{READERKIT_CHIP}==\"1\", ENV{ID_MM_DEVICE_IGNORE}=\"1\", ENV{ID_MM_PORT_IGNORE}=\"1\"",
            "",
            "LABEL=\"readerkit_chip_end\"",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static let mark = "ENV{READERKIT_CHIP}=\"1\""

    /// ATTRS finds the ids at the device itself and from its tty below it.
    static func line(_ ids: SerialChipIds) -> String {
        "ATTRS{idVendor}==\"\(hex4(ids.vendorId))\", ATTRS{idProduct}==\"\(hex4(ids.productId))\", \(mark)"
    }
}
