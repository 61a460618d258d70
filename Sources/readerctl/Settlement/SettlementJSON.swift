import Gateways
import JSONText
import Ledger
import Money
import Payments

/// The JSON of `readerctl settle`, version 1.
enum SettlementJSON {
    private static let version = JSONValue.Member("version", .integer(1))

    static func document(_ outcomes: [SettlementOutcome]) -> JSONValue {
        .object([version, .init("settlements", .array(outcomes.map(settlement)))])
    }

    static func document(batches: [BatchRecord]) -> JSONValue {
        .object([version, .init("batches", .array(batches.map(batch)))])
    }

    static func document(open batches: [OpenBatch]) -> JSONValue {
        let open = batches.map { open in
            JSONValue.object([
                .init("currency", .string(code(open.currency))), .init("totals", totals(open.totals)),
                .init("total", .object(figures(BrandRow.total(of: open.totals)))),
                .init("unresolved", unresolved(open.unresolved)),
                .init("unclosed", open.unclosed.map(batch) ?? .null),
            ])
        }
        return .object([version, .init("open", .array(open))])
    }

    private static func settlement(_ outcome: SettlementOutcome) -> JSONValue {
        var found: BatchRecord?
        var open: [UnresolvedPayment] = []
        var reason: String?
        switch outcome {
        case .closed(let batch, let leftOut): (found, open) = (batch, leftOut)
        case .nothing(let leftOut): open = leftOut
        case .blocked(let payments): open = payments
        case .differs(let batch), .moving(let batch): found = batch
        case .noAnswer(let batch, let error): (found, reason) = (batch, error.code.rawValue)
        case .underWay: break
        case .ledger(let error): reason = error.code.name
        }
        return .object([
            .init("result", .string(outcome.code.rawValue)), .init("batch", found.map(batch) ?? .null),
            .init("unresolved", unresolved(open)), .init("reason", .optional(reason)),
        ])
    }

    private static func batch(_ batch: BatchRecord) -> JSONValue {
        .object([
            .init("batch", .integer(batch.number)), .init("currency", .string(code(batch.currency))),
            .init("state", .string(batch.state.rawValue)), .init("forced", .bool(batch.isForced)),
            .init("openedAt", .integer(batch.openedAt)),
            .init("closedAt", batch.closedAt.map(JSONValue.integer) ?? .null), .init("totals", totals(batch.totals)),
            .init("total", .object(figures(BrandRow.total(of: batch.totals)))),
            .init("hostAnswer", .optional(batch.hostAnswer?.rawValue)),
            .init("hostTotals", batch.hostTotals.map(host) ?? .null),
        ])
    }

    private static func totals(_ totals: [BatchTotal]) -> JSONValue {
        .array(
            BrandRow.rows(of: totals).map { row in
                .object([.init("cardtype", .string(row.brand))] + figures(row))
            })
    }

    private static func figures(_ row: BrandRow) -> [JSONValue.Member] {
        [
            .init("sales", .integer(Int64(row.sales))), .init("salesAmount", amount(row.salesAmount)),
            .init("tips", amount(row.tips)), .init("refunds", .integer(Int64(row.refunds))),
            .init("refundsAmount", amount(row.refundsAmount)), .init("net", amount(row.net)),
        ]
    }

    /// The host does not tell tips apart.
    private static func host(_ sums: BatchSums) -> JSONValue {
        .object([
            .init("sales", .integer(Int64(sums.sales))), .init("salesWithTips", amount(sums.salesAmount)),
            .init("refunds", .integer(Int64(sums.refunds))), .init("refundsAmount", amount(sums.refundsAmount)),
            .init("net", amount(sums.net)),
        ])
    }

    private static func unresolved(_ payments: [UnresolvedPayment]) -> JSONValue {
        .array(
            payments.map { payment in
                .object([
                    .init("transactionid", .string(payment.record.id)),
                    .init("kind", .string(payment.record.kind.rawValue)),
                    .init("state", .string(payment.record.state.rawValue)),
                    .init("amount", amount(payment.record.amount &+ payment.record.tip)),
                    .init("remedy", .string(payment.remedy.rawValue)),
                ])
            })
    }

    private static func amount(_ minorUnits: Int64) -> JSONValue {
        .string("\(SignedAmount(minorUnits: minorUnits))")
    }

    static func code(_ currency: UInt16) -> String { Currency(numeric: currency)?.code ?? String(currency) }
}
