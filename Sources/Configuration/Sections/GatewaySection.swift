import JSONText

/// Who is asked for authorisation: a name, or an object with the name as `kind` and what that gateway needs beside it.
public struct GatewaySection: ConfigurationSection, Hashable {
    /// One case for each gateway, with its settings.
    public enum Kind: Sendable, Hashable {
        /// The built-in issuer. It needs nothing, and takes no money.
        case simulator
        /// An acquirer's host.
        case iso8583(HostLine)
    }

    public let kind: Kind

    /// What reads the settings of each kind from the object that names it.
    private static let kinds: [(name: String, read: @Sendable (ObjectReader) -> Kind)] = [
        ("simulator", { _ in .simulator }), ("iso8583", { .iso8583(HostLine($0)) }),
    ]

    init(_ file: ObjectReader) {
        guard case .object? = file.node("gateway") else {
            let name = file.value("gateway", Self.nameRule, default: "simulator")
            kind = Self.read(name, ObjectReader([], at: file.path["gateway"], file.record))
            // The key of the other form belongs to the documented ones.
            file.record.looked(for: "gateway.kind", isPresent: false)
            return
        }
        kind = file.object("gateway") { object in
            Self.read(object.required("kind", Self.nameRule) ?? "simulator", object)
        }
    }

    private static let nameRule = ValueRule<String>.text("one of \(kinds.map(\.name)) is expected") { text in
        kinds.contains { $0.name == text } ? .value(text) : .refused("another text was given")
    }

    private static func read(_ name: String, _ settings: ObjectReader) -> Kind {
        kinds.first { $0.name == name }?.read(settings) ?? .simulator
    }

    var members: [JSONValue.Member] {
        switch kind {
        case .simulator: [.init("gateway", "simulator")]
        case .iso8583(let line): [.init("gateway", .object(line.members))]
        }
    }
}

extension KioskConfiguration {
    public var gateway: GatewaySection { self[GatewaySection.self] }
}
