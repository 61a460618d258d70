/// The text of `udev/60-readerkit.rules`, made from the catalogue. The number is below 73, where `uaccess` is acted on.
public enum UdevRules {
    public static let fileName = "60-readerkit.rules"

    public static var text: String {
        let others = ReaderCatalogue.otherProtocolProducts.sorted().map(hex4).joined(separator: "|")
        var lines = [
            "# Card readers for ReaderKit. Made from the reader catalogue by `make generate`: do not edit.",
            "#",
            "# Access goes to the group \(ReaderCatalogue.group), and to the person at the seat (uaccess).",
            "# To keep ReaderKit away from a device, set the property in a file that sorts before this one:",
            "#   ATTRS{idVendor}==\"1234\", ATTRS{idProduct}==\"5678\", ENV{\(ReaderCatalogue.ignoreProperty)}=\"1\"",
            "",
            "ACTION==\"remove\", GOTO=\"readerkit_end\"",
            "SUBSYSTEM==\"tty\", GOTO=\"readerkit_tty\"",
            "SUBSYSTEM!=\"usb\", GOTO=\"readerkit_end\"",
            "ENV{DEVTYPE}!=\"usb_device\", GOTO=\"readerkit_end\"",
            "ENV{\(ReaderCatalogue.ignoreProperty)}==\"1\", GOTO=\"readerkit_end\"",
            "",
            "# Every CCID reader, by its interface class.",
            "ENV{ID_USB_INTERFACES}==\"*:\(hex2(ReaderCatalogue.ccidInterfaceClass))????:*\", \(mark(.ccid))",
            "",
            "# ID TECH readers with a HID interface speak NEO2, but for those that are known to speak something else.",
            "ATTR{idVendor}==\"\(hex4(ReaderCatalogue.neo2Vendor))\", ATTR{idProduct}!=\"\(others)\", "
                + "ENV{ID_USB_INTERFACES}==\"*:\(hex2(ReaderCatalogue.hidInterfaceClass))????:*\", \(mark(.neo2))",
            "",
        ]
        for model in ReaderCatalogue.models.sorted(by: { ($0.vendorId, $0.productId) < ($1.vendorId, $1.productId) }) {
            lines.append("# \(model.name)")
            lines.append(
                "ATTR{idVendor}==\"\(hex4(model.vendorId))\", ATTR{idProduct}==\"\(hex4(model.productId))\", "
                    + mark(model.family))
        }
        for hint in ReaderCatalogue.serialHints where !hint.isShared {
            lines.append("# \(hint.owner): product ids are not published")
            lines.append("ATTR{idVendor}==\"\(hex4(hint.vendorId))\", \(mark(hint.family))")
        }
        lines += [
            "",
            "ENV{READERKIT_READER}==\"?*\", GROUP=\"\(ReaderCatalogue.group)\", MODE=\"0660\", TAG+=\"uaccess\"",
            "# ModemManager must not talk to a reader.",
            "ENV{READERKIT_READER}==\"?*\", ENV{ID_MM_DEVICE_IGNORE}=\"1\"",
            "GOTO=\"readerkit_end\"",
            "",
            "# The serial ports of readers.",
            "LABEL=\"readerkit_tty\"",
            "ENV{\(ReaderCatalogue.ignoreProperty)}==\"1\", GOTO=\"readerkit_end\"",
            "ATTRS{idVendor}==\"\(hex4(ReaderCatalogue.neo2Vendor))\", ATTRS{idProduct}!=\"\(others)\", \(mark(.neo2))",
        ]
        for hint in ReaderCatalogue.serialHints where hint.isReasonToAsk {
            let product = hint.productId.map { "ATTRS{idProduct}==\"\(hex4($0))\", " } ?? ""
            let manufacturer =
                hint.manufacturer.map { name in
                    "ATTRS{manufacturer}==\"*\(name)*|*\(name.uppercased())*|*\(name.prefix(1).uppercased())"
                        + "\(name.dropFirst())*\", "
                } ?? ""
            lines.append(
                "ATTRS{idVendor}==\"\(hex4(hint.vendorId))\", \(product)\(manufacturer)\(mark(hint.family))")
        }
        lines += [
            "ENV{READERKIT_READER}==\"?*\", GROUP=\"\(ReaderCatalogue.group)\", MODE=\"0660\", TAG+=\"uaccess\"",
            "ENV{READERKIT_READER}==\"?*\", ENV{ID_MM_DEVICE_IGNORE}=\"1\", ENV{ID_MM_PORT_IGNORE}=\"1\"",
            "",
            "LABEL=\"readerkit_end\"",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func mark(_ family: ReaderFamily) -> String {
        "ENV{READERKIT_READER}=\"\(family.rawValue)\""
    }
}

/// Four lower-case hex digits, as udev and `readerctl probe` write USB ids.
public func hex4(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
}

func hex2(_ number: UInt8) -> String {
    (number < 16 ? "0" : "") + String(number, radix: 16)
}
