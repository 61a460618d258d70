import Money

/// The batches of a host's terminals. A batch holds every movement of money since the one before it was closed.
struct HostBatches {
    /// Of which terminal, in which currency.
    private struct Line: Hashable {
        let terminal: BookTerminal?
        let currency: Currency
    }

    private struct Number: Hashable {
        let line: Line
        let batch: Int64
    }

    /// What the host had counted when it closed them.
    private var closed: [Number: BatchTotals] = [:]
    /// How many of the book's entries are in closed batches.
    private var settled: [Line: Int] = [:]

    /// Compares, and closes the batch when both agree or when it is told to. A batch that is closed stays as it is.
    mutating func settle(_ request: SettlementRequest, entries: [BookEntry]) -> SettlementResponse {
        let line = Line(terminal: BookTerminal(request.terminal), currency: request.totals.currency)
        let number = Number(line: line, batch: request.batch)
        if let totals = closed[number] {
            return totals.agrees(with: request.totals) ? .agreed(totals) : .differs(totals, isClosed: true)
        }
        let totals = Self.count(entries[(settled[line] ?? 0)...], of: line)
        let agrees = totals.agrees(with: request.totals)
        if agrees || request.closesAnyway {
            closed[number] = totals
            settled[line] = entries.count
        }
        return agrees ? .agreed(totals) : .differs(totals, isClosed: request.closesAnyway)
    }

    private static func count(_ entries: ArraySlice<BookEntry>, of line: Line) -> BatchTotals {
        var totals = BatchTotals(currency: line.currency)
        for entry in entries
        where entry.amount.currency == line.currency
            && (entry.terminal == nil || line.terminal == nil || entry.terminal == line.terminal)
        {
            let tally: WritableKeyPath<BatchTotals, BatchTotals.Tally> =
                switch entry.kind {
                case .sale: \.sales
                case .refund: \.refunds
                case .reversal: entry.signedMinorUnits < 0 ? \.reversedSales : \.reversedRefunds
                }
            totals[keyPath: tally].count += 1
            totals[keyPath: tally].minorUnits += entry.amount.minorUnits
        }
        return totals
    }
}
