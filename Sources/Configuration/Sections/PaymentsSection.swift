import JSONText

/// How payments are decided.
public struct PaymentsSection: ConfigurationSection, Hashable {
    /// Whether a part that the issuer approves is taken; else it is given back.
    public let acceptsPartialApproval: Bool

    init(_ file: ObjectReader) {
        acceptsPartialApproval = file.object("payments") { payments in
            payments.value("partialApproval", Self.choice, default: false)
        }
    }

    private static let choice = ValueRule<Bool>.text("reverse or accept is expected") { text in
        switch text {
        case "reverse": .value(false)
        case "accept": .value(true)
        default: .refused("another text was given")
        }
    }

    var members: [JSONValue.Member] {
        let choice = acceptsPartialApproval ? "accept" : "reverse"
        return [.init("payments", .object(["partialApproval": .string(choice)]))]
    }
}

extension KioskConfiguration {
    public var payments: PaymentsSection { self[PaymentsSection.self] }
}
