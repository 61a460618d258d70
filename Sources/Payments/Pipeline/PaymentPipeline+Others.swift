import Ledger

extension PaymentPipeline {
    /// The answer of a payment that is not where its run left it: somebody else took this program for ended, and moved the
    /// payment on. The ledger is right. Nil when that is not what happened; a conflict about the sale of a refund leaves the
    /// refund open, for a later run.
    func answerOfOthers(_ id: String, after error: LedgerError) async -> PaymentResult? {
        guard case .conflict = error.code else { return nil }
        do throws(LedgerError) {
            return PaymentResult(try await ledger.transaction(id))
        } catch {
            return nil
        }
    }
}
