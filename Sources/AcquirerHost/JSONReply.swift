import Gateways
import ISO8583
public import JSONText
import Money

/// The host's words as one JSON object.
enum JSONReply {
    /// Nil when nothing is said.
    static func object(_ reply: HostReply, id: String) -> JSONValue? {
        guard let code = reply.responseCode else { return nil }
        var members: [JSONValue.Member] = [.init("id", .string(id)), .init("responseCode", .string(code.text))]
        switch reply {
        case .authorised(let response): members += fields(response)
        case .reversal(let response):
            switch response {
            case .reversed(let reference):
                members += [.init("result", "reversed"), .init("hostReference", .string(reference))]
            case .nothingToReverse: members.append(.init("result", "nothingToReverse"))
            case .refused: members.append(.init("result", "refused"))
            }
        case .status(let status):
            switch status {
            case .approved(let response):
                members += [.init("status", "approved"), .init("original", .object(fields(response)))]
            case .declined(let response):
                members += [.init("status", "declined"), .init("original", .object(fields(response)))]
            case .reversed: members.append(.init("status", "reversed"))
            case .notFound: members.append(.init("status", "notFound"))
            }
        case .totals(let totals): members += fields(totals)
        case .settlement(let response): members += fields(response)
        case .accepted, .refused, .silence, .garbage: break
        }
        return .object(members)
    }

    static func fields(_ totals: HostTotals) -> [JSONValue.Member] {
        [
            .init("currency", .string(totals.currency.code)),
            .init("sales", .integer(Int64(totals.sales))), .init("salesAmount", .integer(totals.salesAmount)),
            .init("refunds", .integer(Int64(totals.refunds))), .init("refundsAmount", .integer(totals.refundsAmount)),
            .init("reversals", .integer(Int64(totals.reversals))),
            .init("reversalsAmount", .integer(totals.reversalsAmount)), .init("net", .integer(totals.net)),
        ]
    }

    private static func fields(_ response: SettlementResponse) -> [JSONValue.Member] {
        switch response {
        case .agreed(let totals):
            [.init("result", "agreed"), .init("closed", .bool(true))] + (totals.map(fields) ?? [])
        case .differs(let totals, let isClosed):
            [.init("result", "differs"), .init("closed", .bool(isClosed))] + (totals.map(fields) ?? [])
        case .notKept: [.init("result", "notKept"), .init("closed", .bool(false))]
        }
    }

    private static func fields(_ totals: BatchTotals) -> [JSONValue.Member] {
        func members(_ name: String, _ tally: BatchTotals.Tally) -> [JSONValue.Member] {
            [.init(name, .integer(Int64(tally.count))), .init(name + "Amount", .integer(tally.minorUnits))]
        }
        return [.init("currency", .string(totals.currency.code))] + members("sales", totals.sales)
            + members("reversedSales", totals.reversedSales) + members("refunds", totals.refunds)
            + members("reversedRefunds", totals.reversedRefunds) + [.init("net", .integer(totals.net))]
    }

    private static func fields(_ response: AuthorisationResponse) -> [JSONValue.Member] {
        [
            .init("approvedAmount", .string("\(response.approvedAmount)")),
            .init("currency", .string(response.approvedAmount.currency.code)),
            .init("originalResponseCode", .string(response.responseCode.text)),
            .init("authorisationCode", .optional(response.authorisationCode)),
            .init("issuerData", .string(String(decoding: HexDigits.encode(response.issuerData), as: UTF8.self))),
            .init("accountType", .optional(response.accountType?.rawValue)), .init("bank", .optional(response.bank)),
            .init("hostReference", .string(response.hostReference)),
        ]
    }
}

extension HostTotals {
    /// `{"currency", "sales", "salesAmount", …, "net"}`, amounts in minor units.
    public var jsonValue: JSONValue { .object(JSONReply.fields(self)) }
}
