import EMV
import JSONText
import Money

/// Which share of the payments below the floor limit goes to the issuer (Book 3, 10.6.2).
public struct RandomSelection: Sendable, Hashable {
    /// Percent, 0 ... 99, below the threshold.
    public private(set) var target = 0
    /// Percent, `target` ... 99, at the floor limit.
    public private(set) var maximumTarget = 0
    /// Minor units.
    public private(set) var threshold: Int64 = 0

    init() {}

    init(_ application: TerminalApplication) {
        target = application.targetPercentage
        maximumTarget = application.maximumTargetPercentage
        threshold = application.threshold
    }

    /// Reads `randomSelection`.
    init(_ object: ObjectReader, _ currency: Currency, default standard: RandomSelection) {
        var wanted = standard
        object.object("randomSelection") { fields in
            wanted.target = fields.value("targetPercentage", .wholeNumber(0...99), default: standard.target)
            let maximum = fields.value("maximumTargetPercentage", .wholeNumber(0...99))
            wanted.maximumTarget = maximum ?? max(standard.maximumTarget, wanted.target)
            if wanted.maximumTarget < wanted.target {
                fields.report("maximumTargetPercentage", "at least targetPercentage is expected, less was given")
                wanted.maximumTarget = wanted.target
            }
            wanted.threshold = fields.value("threshold", .amount(currency))?.minorUnits ?? standard.threshold
        }
        self = wanted
    }

    func member(_ currency: Currency) -> JSONValue.Member {
        .init(
            "randomSelection",
            .object([
                "targetPercentage": .integer(Int64(target)),
                "maximumTargetPercentage": .integer(Int64(maximumTarget)),
                "threshold": .string(AmountText.of(threshold, currency)),
            ]))
    }
}

enum AmountText {
    /// Two decimals.
    static func of(_ minorUnits: Int64, _ currency: Currency) -> String {
        (Amount(minorUnits: minorUnits, currency: currency) ?? .zero(currency)).description
    }
}
