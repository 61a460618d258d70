public import Money

/// What a merchant allows in sales.
public struct SaleRules: Sendable, Hashable {
    public var partialApproval = PartialApprovalRule.reverse
    public var magneticStripe = StripeRule.never
    /// The least amount, tip included, for each plan of months without interest; a plan that is not named has none.
    public var instalmentMinimums: [Instalments: Amount] = [:]

    public init() {}

    /// What a sale falls short of, before anything of it is begun; nil when it may be made.
    func minimumMissed(by request: SaleRequest) -> Amount? {
        guard request.instalments != .single, let minimum = instalmentMinimums[request.instalments],
            request.total.currency == minimum.currency, request.total < minimum
        else { return nil }
        return minimum
    }
}
