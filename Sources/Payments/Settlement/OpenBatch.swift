public import Ledger

/// What the next batch of a currency would hold, were it closed now. Reading it changes nothing and asks nobody.
public struct OpenBatch: Sendable, Hashable {
    /// ISO 4217 numeric code.
    public var currency: UInt16
    /// By card brand and kind.
    public var totals: [BatchTotal]
    /// What stands in its way, the oldest first.
    public var unresolved: [UnresolvedPayment]
    /// A batch that was not ended, or that the host did not agree with.
    public var unclosed: BatchRecord?

    /// - Parameter dataDirectory: where the ledger is.
    /// - Returns: by currency.
    /// - Throws: as all questions.
    public static func read(
        from ledger: Ledger, dataDirectory: String
    ) async throws(LedgerError) -> [OpenBatch] {
        let directory = RunningDirectory(dataDirectory: dataDirectory)
        let unclosed = try await ledger.batches(states: [.closing, .differs])
        var batches: [OpenBatch] = []
        for currency in try await ledger.batchCurrencies(.payments) {
            batches.append(
                OpenBatch(
                    currency: currency,
                    totals: try await ledger.openTotals(currency: currency, rule: .payments),
                    unresolved: try await ledger.obstacles(to: .payments, currency: currency)
                        .map { UnresolvedPayment($0, in: directory) },
                    unclosed: unclosed.first { $0.currency == currency }))
        }
        return batches
    }
}
