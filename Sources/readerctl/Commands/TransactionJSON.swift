import JSONText
import Ledger
import Money

/// The JSON of `readerctl transactions` and `transaction`: names as in the response model where there is one.
enum TransactionJSON {
    /// One of the list.
    static func document(_ record: TransactionRecord) -> JSONValue { .object(members(record)) }

    static func document(_ record: TransactionRecord, _ journal: [JournalEntry]) -> JSONValue {
        let entries = journal.map { entry in
            JSONValue.object([
                "at": .integer(entry.at), "from": .optional(entry.from?.rawValue), "to": .string(entry.to.rawValue),
                "detail": .optional(entry.detail),
            ])
        }
        return .object(members(record) + [JSONValue.Member("journal", .array(entries))])
    }

    private static func members(_ record: TransactionRecord) -> [JSONValue.Member] {
        func amount(_ minorUnits: Int64) -> JSONValue {
            let currency = Currency(numeric: record.currency) ?? .mxn
            return .string(Amount(minorUnits: minorUnits, currency: currency)?.description ?? "")
        }
        return [
            .init("transactionid", .string(record.id)), .init("kind", .string(record.kind.rawValue)),
            .init("state", .string(record.state.rawValue)), .init("outcome", .optional(record.outcome)),
            .init("amount", amount(record.amount)), .init("tip", amount(record.tip)),
            .init("currency", .string(Currency(numeric: record.currency)?.code ?? "")),
            .init("createdAt", .integer(record.createdAt)), .init("updatedAt", .integer(record.updatedAt)),
            .init("approvedAt", record.approvedAt.map(JSONValue.integer) ?? .null),
            .init("identifier", .optional(record.identifier)), .init("reference", .optional(record.reference)),
            .init("original", .optional(record.originalID)), .init("msi", .integer(Int64(record.msi))),
            .init("authorization", .optional(record.authorisation)), .init("creditcard", .optional(record.lastFour)),
            .init("cardtype", .optional(record.cardBrand)), .init("arqc", .optional(record.arqc)),
            .init("aid", .optional(record.aid)), .init("applabel", .optional(record.appLabel)),
            .init("bank", .optional(record.bank)), .init("accountType", .optional(record.accountType)),
            .init("responsecode", .optional(record.responseCode)), .init("status", .optional(record.statusCode)),
            .init("statusinfo", .optional(record.statusInfo)), .init("reader", .optional(record.reader)),
            .init("batch", record.batch.map(JSONValue.integer) ?? .null),
            .init("offline", .optional(record.offline?.rawValue)),
            .init("returnedas", .optional(record.returnedAs?.rawValue)),
        ]
    }
}
