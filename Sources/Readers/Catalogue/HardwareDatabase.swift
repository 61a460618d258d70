import USBSerial

/// The text of `udev/60-readerkit.hwdb`: what udev's hardware database is to say of readers and of serial chips by their
/// USB ids. It names them and grants nothing; access is a matter of the rules.
public enum HardwareDatabase {
    public static let fileName = "60-readerkit.hwdb"

    public static var text: String {
        var lines = [
            "# Card readers and serial chips that ReaderKit knows. Made from the reader catalogue by `make generate`: do not edit.",
            "#",
            "# Install it in /etc/udev/hwdb.d and run 'systemd-hwdb update'. 'udevadm info' then shows the names.",
            "",
        ]
        for model in ReaderCatalogue.models.sorted(by: { ($0.vendorId, $0.productId) < ($1.vendorId, $1.productId) }) {
            lines += [
                modalias(model.vendorId, model.productId), " READERKIT_MODEL=\(model.name)",
                " READERKIT_FAMILY=\(model.family.rawValue)", "",
            ]
        }
        for ids in SerialChipIds.all {
            lines += [modalias(ids.vendorId, ids.productId), " READERKIT_SERIAL_CHIP=\(ids.name)", ""]
        }
        return lines.dropLast().joined(separator: "\n") + "\n"
    }

    /// As the kernel writes it: upper-case hex digits.
    static func modalias(_ vendorId: UInt16, _ productId: UInt16) -> String {
        "usb:v\(hex4(vendorId).uppercased())p\(hex4(productId).uppercased())*"
    }
}
