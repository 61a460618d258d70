import Gateways
public import JSONText
import Ledger
import Money

extension Receipt {
    /// In the layout of the receipt.
    public var jsonValue: JSONValue {
        var members: [JSONValue.Member] = [
            .init("version", .integer(layout.rawValue)),
            .init("transactionid", .string(transactionID)),
            .init("kind", .string(kind.rawValue)),
            .init("approved", .bool(isApproved)),
            .init("merchant", .string(merchantName)),
            .init("merchantid", .string(merchantID)),
            .init("terminalid", .string(terminalID)),
            .init("time", .string(time)),
            .init("amount", .string(amount.description)),
            .init("tip", .string(tip.description)),
            .init("total", .string(total.description)),
            .init("currency", .string(amount.currency.code)),
            .init("msi", .integer(Int64(instalments.rawValue))),
            .init("reference", .string(reference)),
            .init("original", .string(originalID)),
            .init("cardtype", .string(cardBrand)),
            .init("creditcard", .string(lastFour)),
            .init("authorization", .string(authorization)),
            .init("responsecode", .string(responseCode)),
            .init("chip", chip?.jsonValue ?? .null),
        ]
        if layout == .second {
            members += [
                .init("test", .bool(isTest)),
                .init("asked", .string(asked?.description ?? "")),
                .init("entry", .string(entryMode?.rawValue ?? "")),
                .init("verification", .string(verification.rawValue)),
                .init("voided", .string(voidedAt ?? "")),
            ]
        }
        return .object(members)
    }
}

extension Receipt.Chip {
    fileprivate var jsonValue: JSONValue {
        .object([
            "applabel": .string(applicationName),
            "aid": .string(aid),
            "cryptogramtype": .string(cryptogramType),
            "cryptogram": .string(cryptogram),
            "tvr": .string(terminalVerificationResults),
            "tsi": .string(transactionStatusInformation),
        ])
    }
}
