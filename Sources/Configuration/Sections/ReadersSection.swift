import JSONText

/// `readers`: where readers are that do not tell by their USB ids what they are.
public struct ReadersSection: ConfigurationSection, Hashable {
    /// A serial port with a reader behind it.
    public struct TTY: Sendable, Hashable {
        public enum Family: String, Sendable, Hashable, CaseIterable {
            case neo2, qpos, mpi
        }

        public let path: String
        public let family: Family
        /// Bits per second, 1200 to 4000000.
        public let baud: UInt32
    }

    public let ttys: [TTY]

    init(_ file: ObjectReader) {
        ttys = file.object("readers") { readers in
            let read = readers.objects("ttys", count: 0...32) { tty -> TTY? in
                let path = tty.required("path", .absolutePath)
                let family = tty.required("family", Self.family)
                let baud = tty.value("baud", .wholeNumber(1200...4_000_000, of: "bits per second"), default: 115_200)
                guard let path, let family else { return nil }
                return TTY(path: path, family: family, baud: UInt32(baud))
            }
            return read?.compactMap { $0 } ?? []
        }
    }

    private static let family = ValueRule<String>.text("\"neo2\", \"qpos\" or \"mpi\" is expected") { .value($0) }
        .mapped(refusedAs: "another text was given") { TTY.Family(rawValue: $0) }

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
                        })
                ]))
        ]
    }
}

extension KioskConfiguration {
    public var readers: ReadersSection { self[ReadersSection.self] }
}
