import USBSerial

/// The text of `docs/supported-readers.md`, made from the catalogue.
public enum SupportedReadersPage {
    public static let fileName = "supported-readers.md"

    public static var text: String {
        var lines = [
            "# Supported readers",
            "",
            "<!-- Made from the reader catalogue by `make generate`: do not edit. -->",
            "",
            "Any USB reader whose interface class is 0B (CCID) and that works at short-APDU, extended-APDU or TPDU level",
            "is driven, listed here or not. \"specified\" means: built from the public specification and proved on mock",
            "hardware; nobody here has had that device. Character-level readers are refused with a clear message.",
            "",
            "ID TECH readers that run EMV themselves speak NEO2 over USB HID. Many of their product ids are not public: any",
            "HID device of vendor 0acd is asked by a ping, but for those known to speak something else (Augusta and others).",
            "In CDC-ACM mode they are driven through their serial port; in keyboard mode not at all.",
            "",
            "| USB id | model | family | how sure | departures |",
            "|---|---|---|---|---|",
        ]
        for model in ReaderCatalogue.models.sorted(by: { ($0.vendorId, $0.productId) < ($1.vendorId, $1.productId) }) {
            let quirks = model.quirks.map(\.reason).joined(separator: " ")
            lines.append(
                "| \(hex4(model.vendorId)):\(hex4(model.productId)) | \(model.name) | \(model.family.rawValue) "
                    + "| \(model.claim.rawValue) | \(quirks.isEmpty ? "none known" : quirks) |")
        }
        lines += [
            "",
            "## On a serial line, CDC-ACM or a socket",
            "",
            "Their product ids are not published: such a reader is identified by its answers. A serial port is written to only",
            "when its USB id and manufacturer are those of readers, or when the configuration names it (readers.ttys,",
            "readers.usbSerial); all others only by `readerctl probe --intrusive`. An id that other devices bear as well is no",
            "reason to touch one.",
            "",
            "| USB id | whose id | family | how sure | other devices bear it |",
            "|---|---|---|---|---|",
        ]
        for hint in ReaderCatalogue.serialHints {
            let product = hint.productId.map(hex4) ?? "any"
            let manufacturer = hint.manufacturer.map { ", manufacturer \"\($0)\"" } ?? ""
            lines.append(
                "| \(hex4(hint.vendorId)):\(product)\(manufacturer) | \(hint.owner) | \(hint.family.rawValue) "
                    + "| \(hint.claim.rawValue) | \(hint.isShared ? "yes" : "no") |")
        }
        lines += [
            "",
            "## Serial chips that are driven without the kernel",
            "",
            "Where the kernel has made no serial port of such a chip, or when the configuration wants it directly, it is driven",
            "over USB. CDC-ACM devices are known by their class and have no line here.",
            "",
            "| USB id | chip |",
            "|---|---|",
        ]
        for ids in SerialChipIds.all {
            lines.append("| \(hex4(ids.vendorId)):\(hex4(ids.productId)) | \(ids.name) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
