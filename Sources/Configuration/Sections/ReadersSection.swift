import JSONText
public import USBDescriptors

/// `readers`: where readers are that do not tell by their USB ids what they are.
public struct ReadersSection: ConfigurationSection, Hashable {
    /// What a reader on a serial line speaks.
    public enum Family: String, Sendable, Hashable, CaseIterable {
        case neo2, qpos, mpi
    }

    /// A serial port with a reader behind it.
    public struct TTY: Sendable, Hashable {
        public let path: String
        public let family: Family
        /// Bits per second, 1200 to 4000000.
        public let baud: UInt32
    }

    /// A USB-serial chip with a reader behind it, or a reader that is one.
    public struct USBSerial: Sendable, Hashable {
        public let device: USBLineName
        public let family: Family
        /// Bits per second, 1200 to 4000000.
        public let baud: UInt32
        /// The chip is taken from the driver of the kernel while the reader is in use.
        public let isDirect: Bool
    }

    public let ttys: [TTY]
    public let usbSerial: [USBSerial]

    init(_ file: ObjectReader) {
        (ttys, usbSerial) = file.object("readers") { readers in
            var paths: Set<[UInt8]> = []
            let ttys = readers.objects("ttys", count: 0...32) { tty -> TTY? in
                let path = tty.required("path", .absolutePath)
                let family = tty.required("family", Self.family)
                let baud = Self.baud(tty)
                guard let path, let family else { return nil }
                if !paths.insert(Array(path.utf8)).inserted { tty.report("path", Self.isThereTwice) }
                return TTY(path: path, family: family, baud: baud)
            }
            var names: Set<String> = []
            let chips = readers.objects("usbSerial", count: 0...32) { chip -> USBSerial? in
                let device = chip.required("device", Self.device)
                let family = chip.required("family", Self.family)
                let baud = Self.baud(chip)
                let isDirect = chip.value("direct", .flag, default: false)
                guard let device, let family else { return nil }
                // Its text is plain ASCII, in one form only.
                if !names.insert(device.description).inserted { chip.report("device", Self.isThereTwice) }
                return USBSerial(device: device, family: family, baud: baud, isDirect: isDirect)
            }
            return (ttys?.compactMap { $0 } ?? [], chips?.compactMap { $0 } ?? [])
        }
    }

    private static func baud(_ object: ObjectReader) -> UInt32 {
        UInt32(object.value("baud", .wholeNumber(1200...4_000_000, of: "bits per second"), default: 115_200))
    }

    private static let family = ValueRule<String>.text("\"neo2\", \"qpos\" or \"mpi\" is expected") { .value($0) }
        .mapped(refusedAs: "another text was given") { Family(rawValue: $0) }

    /// Which of two families or speeds is meant nobody can tell.
    private static let isThereTwice = "the same is named before: it can be there once only"

    private static let device = ValueRule<USBLineName>(
        "\"usb:VID:PID\", \"usb:VID:PID:SERIAL\" or \"usb:PORT\" is expected"
    ) { node in
        guard case .string(let text) = node else { return .refused(node.wasGiven) }
        if let name = USBLineName(text) { return .value(name) }
        let isPlain = text.utf8.allSatisfy {
            USBDeviceText.isPlain($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "%")
        }
        return .refused(
            isPlain || !text.hasPrefix("usb:")
                ? "another text was given"
                : "one with other characters than letters, digits, \"-\", \"_\" and \".\" was given: write each of their "
                    + "bytes as %XX")
    }

    var members: [JSONValue.Member] {
        [
            .init(
                "readers",
                .object([
                    "ttys": .array(
                        ttys.map { tty in
                            .object([
                                "path": .string(tty.path), "family": .string(tty.family.rawValue),
                                "baud": .integer(Int64(tty.baud)),
                            ])
                        }),
                    "usbSerial": .array(
                        usbSerial.map { chip in
                            .object([
                                "device": .string(chip.device.description), "family": .string(chip.family.rawValue),
                                "baud": .integer(Int64(chip.baud)), "direct": .bool(chip.isDirect),
                            ])
                        }),
                ]))
        ]
    }
}

extension KioskConfiguration {
    public var readers: ReadersSection { self[ReadersSection.self] }
}
