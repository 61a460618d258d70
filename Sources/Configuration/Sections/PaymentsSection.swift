import JSONText

/// How payments are decided.
public struct PaymentsSection: ConfigurationSection, Hashable {
    /// Whether a part that the issuer approves is taken; else it is given back.
    public let acceptsPartialApproval: Bool
    /// Whether the stripe is taken, of cards without a chip and of those whose chip cannot be read; else never.
    public let acceptsMagneticStripe: Bool

    init(_ file: ObjectReader) {
        (acceptsPartialApproval, acceptsMagneticStripe) = file.object("payments") { payments in
            (
                payments.value("partialApproval", Self.choice, default: false),
                payments.value("magneticStripe", Self.stripe, default: false)
            )
        }
    }

    private static let stripe = ValueRule<Bool>.text("never or fallback is expected") { text in
        switch text {
        case "never": .value(false)
        case "fallback": .value(true)
        default: .refused("another text was given")
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
        let stripe = acceptsMagneticStripe ? "fallback" : "never"
        return [
            .init("payments", .object(["magneticStripe": .string(stripe), "partialApproval": .string(choice)]))
        ]
    }
}

extension KioskConfiguration {
    public var payments: PaymentsSection { self[PaymentsSection.self] }
}
