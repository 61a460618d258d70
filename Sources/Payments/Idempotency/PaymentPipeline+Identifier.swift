import Ledger
import Transport

/// Requests with an identifier are carried out once.
extension PaymentPipeline {
    /// The answer of an earlier, equal request; nil when there was none. An answer that is not there yet is waited for.
    ///
    /// - Parameter limit: how long to wait for another program.
    func earlierAnswer(
        _ key: RequestKey, limit: Duration
    ) async throws(LedgerError) -> EarlierAnswer? {
        let earlier = try await ledger.onlyOne(ofIdentifier: key.name.identifier, scope: key.name.scope)
        guard let earlier else { return nil }
        guard earlier.requestDigest == key.digest else { return .otherData }
        return .same(await settledAnswer(earlier, limit: limit))
    }

    /// Waits for the end of a transaction, or makes an attempt to find it out, and gives its answer.
    func settledAnswer(_ record: TransactionRecord, limit: Duration) async -> PaymentResult {
        do throws(LedgerError) {
            let settled = try await Recovery(self).settle(record.id, until: .after(limit, on: clock))
            return PaymentResult(settled.record)
        } catch {
            return PaymentResult(record)
        }
    }

    enum EarlierAnswer {
        case same(PaymentResult)
        case otherData
    }
}

extension PaymentPipeline.TimeLimits {
    /// As long as a sale can take.
    var sale: Duration { card + max(dialogue, readerDialogue) + dialogue + host }
}
