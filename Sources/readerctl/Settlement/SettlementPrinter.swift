import Gateways
import Ledger
import Payments

/// Says to people what a settlement came to.
struct SettlementPrinter {
    let console: Console

    private static let again = "Run 'readerctl settle' again"

    func show(_ outcome: SettlementOutcome) {
        switch outcome {
        case .closed(let batch, let leftOut):
            show(batch)
            if !leftOut.isEmpty {
                console.note("Left for a later batch:")
                list(leftOut)
            }
        case .nothing(let leftOut):
            guard !leftOut.isEmpty else { return console.note("There is nothing to settle.") }
            let count = leftOut.count == 1 ? "1 payment waits" : "\(leftOut.count) payments wait"
            console.error("Nothing was settled: \(count), and there is nothing else.")
            list(leftOut)
            console.note("They go into a later batch, once the host has told what became of them.")
        case .blocked(let payments):
            let count = payments.count == 1 ? "1 payment has" : "\(payments.count) payments have"
            console.error("Nothing was settled: \(count) no end yet.")
            list(payments)
            console.note("\(Self.again) afterwards, or close without them: 'readerctl settle --force'.")
        case .differs(let batch):
            console.error("The host has counted something else. The batch is not closed.")
            compare(batch)
            console.note(
                "Compare 'readerctl transactions' with the acquirer's list. 'readerctl settle --force' closes the batch "
                    + "and records the difference.")
        case .moving:
            console.error("Payments were made while the totals were compared. Nothing is closed. \(Self.again).")
        case .noAnswer(let batch, let error):
            let state = error.moneyMayHaveMoved ? "may be closed at the host or not" : "is not closed"
            console.error(
                "\(error) Batch \(batch.number) \(state). \(Self.again): it goes on with the same batch, and nothing is "
                    + "counted twice.")
        case .underWay:
            console.error("Another program is settling. Try again in a moment.")
        case .ledger(let error):
            console.error(error.description)
        }
    }

    func show(_ batch: BatchRecord) {
        console.print(Self.head(batch).printable())
        for line in BatchTable.lines(batch.totals) { console.print(line.printable()) }
        switch batch.hostAnswer {
        case .agreed: console.print("The host agrees.")
        case .evened:
            console.print("The host differs by what earlier batches differed the other way: together they agree.")
            compare(batch)
        case .differs:
            console.print("The host does not agree.")
            compare(batch)
        case .notKept: console.print("This host compares no batches: nobody has checked these totals.")
        case nil: break
        }
    }

    func show(_ open: OpenBatch) {
        if open.totals.isEmpty {
            console.print("Open  \(SettlementJSON.code(open.currency))  nothing to settle")
        } else {
            console.print("Open  \(SettlementJSON.code(open.currency))")
            for line in BatchTable.lines(open.totals) { console.print(line.printable()) }
        }
        if !open.unresolved.isEmpty {
            console.print("In the way:")
            list(open.unresolved)
        }
        if let batch = open.unclosed {
            console.print("Not closed:")
            show(batch)
        }
    }

    private func compare(_ batch: BatchRecord) {
        guard let host = batch.hostTotals else {
            console.print("The host does not tell its totals.")
            return
        }
        for line in BatchTable.comparison(ours: batch.sums, host: host) { console.print(line) }
    }

    private func list(_ payments: [UnresolvedPayment]) {
        for payment in payments { console.print(Self.line(payment).printable()) }
    }

    private static func head(_ batch: BatchRecord) -> String {
        let time = TimeZoneRule.mexicoCity().civilTime(atMilliseconds: batch.closedAt ?? batch.openedAt).text
        let how = batch.isForced && batch.state == .closed ? " (--force)" : ""
        return "Batch \(batch.number)  \(SettlementJSON.code(batch.currency))  \(batch.state.rawValue) \(time)\(how)"
    }

    private static func line(_ payment: UnresolvedPayment) -> String {
        let (record, id) = (payment.record, payment.record.id)
        let remedy =
            switch payment.remedy {
            case .wait: "its program is at work: wait for its end"
            case .resolve: "readerctl resolve \(id)"
            case .forward: "send it when the host answers: readerctl resolve \(id)"
            case .decide: "ask the acquirer, then: readerctl resolve \(id) --as approved|declined|reversed"
            }
        let amount = SignedAmount(minorUnits: record.amount &+ record.tip)
        let state =
            switch payment.remedy {
            case .forward: "approved offline, not sent"
            default: record.resolveAt != nil && payment.isVoidOwed ? "void owed" : record.state.rawValue
            }
        return "  \(id)  \(record.kind.rawValue)  \(amount)  \(state)  \(remedy)"
    }
}

extension UnresolvedPayment {
    fileprivate var isVoidOwed: Bool { record.state == PaymentState.approved.name }
}
