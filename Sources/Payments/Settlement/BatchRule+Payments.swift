public import Ledger

extension BatchRule {
    /// Every sale and refund whose money has moved. A sale that was voided or reversed has moved none; one that was
    /// refunded has, and so has each of its refunds.
    public static let payments = BatchRule(
        sales: Set([PaymentState.approved, .partiallyRefunded, .refunded].map(\.name)),
        refunds: [PaymentState.approved.name],
        unresolved: Recovery.openStates.union([PaymentState.manualReview.name]))
}
