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
            let ttys = readers.objects("ttys", count: 0...32) { tty -> TTY? in
                let path = tty.required("path", .absolutePath)
                let family = tty.required("family", Self.family)
                let baud = Self.baud(tty)
                guard let path, let family else { return nil }
                return TTY(path: path, family: family, baud: baud)
            }
            let chips = readers.objects("usbSerial", count: 0...32) { chip -> USBSerial? in
                let device = chip.required("device", Self.device)
                let family = chip.required("family", Self.family)
                let baud = Self.baud(chip)
                let isDirect = chip.value("direct", .flag, default: false)
                guard let device, let family else { return nil }
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

    private static let device = ValueRule<String>.text(
        "\"usb:VID:PID\", \"usb:VID:PID:SERIAL\" or \"usb:PORT\" is expected"
    ) {
        .value($0)
    }.mapped(refusedAs: "another text was given") { USBLineName($0) }

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
