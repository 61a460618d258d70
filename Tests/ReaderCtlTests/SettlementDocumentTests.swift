import Gateways
import JSONText
import Testing

@testable import Ledger
@testable import Payments
@testable import readerctl

/// The JSON of `settle` as text, and its tables for people.
@Suite struct SettlementDocumentTests {
    private static let totals = [
        BatchTotal(kind: .sale, cardBrand: "MASTERCARD", count: 1, amount: 20_00, tip: 0),
        BatchTotal(kind: .sale, cardBrand: "VISA", count: 2, amount: 1_100_00, tip: 15_05),
        BatchTotal(kind: .refund, cardBrand: "VISA", count: 1, amount: 1_140_00, tip: 0),
    ]

    private static func batch(
        _ state: BatchRecord.State, _ answer: BatchRecord.HostAnswer?, _ host: BatchSums? = nil
    ) -> BatchRecord {
        BatchRecord(
            number: 3, currency: 484, state: state, openedAt: 1, closedAt: state == .closed ? 2 : nil,
            isForced: false, hostAnswer: answer, hostTotals: host, totals: totals)
    }

    private static let figures =
        #""totals":[{"cardtype":"MASTERCARD","sales":1,"salesAmount":"20.00","tips":"0.00","refunds":0,"#
        + #""refundsAmount":"0.00","net":"20.00"},{"cardtype":"VISA","sales":2,"salesAmount":"1100.00","#
        + #""tips":"15.05","refunds":1,"refundsAmount":"1140.00","net":"-24.95"}],"total":{"sales":3,"#
        + #""salesAmount":"1120.00","tips":"15.05","refunds":1,"refundsAmount":"1140.00","net":"-4.95"}"#

    private static let agreed =
        #"{"batch":3,"currency":"MXN","state":"closed","forced":false,"openedAt":1,"closedAt":2,"#
        + figures + #","hostAnswer":"agreed","hostTotals":{"sales":3,"salesWithTips":"1135.05","refunds":1,"#
        + #""refundsAmount":"1140.00","net":"-4.95"}}"#

    private static func open(_ state: PaymentState) -> UnresolvedPayment {
        UnresolvedPayment(
            TransactionRecord(
                id: "ID1", kind: .sale, state: state.name, createdAt: 1, updatedAt: 1, amount: 100_00, tip: 5_00,
                currency: 484),
            in: RunningDirectory(dataDirectory: "/nowhere"))
    }

    private static func text(_ outcome: SettlementOutcome) -> String {
        SettlementJSON.document([outcome]).compactText
    }

    private static func document(_ result: String, batch: String = "null", open: String = "", reason: String = "null")
        -> String
    {
        #"{"version":1,"settlements":[{"result":"\#(result)","batch":\#(batch),"unresolved":[\#(open)],"#
            + #""reason":\#(reason)}]}"#
    }

    @Test("a closed batch, with what was left out")
    func closed() {
        let batch = Self.batch(.closed, .agreed, BatchSums(Self.totals))
        #expect(Self.text(.closed(batch, leftOut: [])) == Self.document("closed", batch: Self.agreed))
        let left =
            #"{"transactionid":"ID1","kind":"sale","state":"unknown","amount":"105.00","remedy":"resolve"}"#
        #expect(
            Self.text(.closed(batch, leftOut: [Self.open(.unknown)]))
                == Self.document("closed", batch: Self.agreed, open: left))
    }

    @Test("every other end")
    func others() {
        #expect(Self.text(.nothing(leftOut: [])) == Self.document("nothing"))
        let review =
            #"{"transactionid":"ID1","kind":"sale","state":"manualReview","amount":"105.00","remedy":"decide"}"#
        #expect(Self.text(.blocked([Self.open(.manualReview)])) == Self.document("blocked", open: review))
        let differs =
            #"{"batch":3,"currency":"MXN","state":"differs","forced":false,"openedAt":1,"closedAt":null,"#
            + Self.figures + #","hostAnswer":"differs","hostTotals":null}"#
        #expect(Self.text(.differs(Self.batch(.differs, .differs))) == Self.document("differs", batch: differs))
        #expect(Self.text(.moving(Self.batch(.differs, .differs))) == Self.document("moving", batch: differs))
        let closing =
            #"{"batch":3,"currency":"MXN","state":"closing","forced":false,"openedAt":1,"closedAt":null,"#
            + Self.figures + #","hostAnswer":null,"hostTotals":null}"#
        #expect(
            Self.text(.noAnswer(Self.batch(.closing, nil), .noAnswer(reason: "x")))
                == Self.document("noAnswer", batch: closing, reason: #""gateway.noAnswer""#))
        #expect(Self.text(.underWay) == Self.document("underWay"))
    }

    @Test("the lists")
    func lists() {
        #expect(SettlementJSON.document(batches: []).compactText == #"{"version":1,"batches":[]}"#)
        let batch = Self.batch(.closed, .agreed, BatchSums(Self.totals))
        #expect(
            SettlementJSON.document(batches: [batch]).compactText == #"{"version":1,"batches":[\#(Self.agreed)]}"#)
        let open = OpenBatch(currency: 484, totals: Self.totals, unresolved: [], unclosed: nil)
        #expect(
            SettlementJSON.document(open: [open]).compactText
                == #"{"version":1,"open":[{"currency":"MXN",\#(Self.figures),"unresolved":[],"unclosed":null}]}"#)
    }

    @Test("a table has a line for each brand and one for all")
    func table() {
        #expect(
            BatchTable.lines(Self.totals) == [
                "            sales   amount   tips  refunds   amount     net",
                "MASTERCARD      1    20.00   0.00        0     0.00   20.00",
                "VISA            2  1100.00  15.05        1  1140.00  -24.95",
                "Total           3  1120.00  15.05        1  1140.00   -4.95",
            ])
    }

    @Test("two sides stand one under the other, with the difference")
    func comparison() {
        let host = BatchSums(sales: 4, salesAmount: 1_142_05, refunds: 0, refundsAmount: 0)
        #expect(
            BatchTable.comparison(ours: BatchSums(Self.totals), host: host) == [
                "             sales  with tips  refunds    amount      net",
                "Here             3    1135.05        1   1140.00    -4.95",
                "Host             4    1142.05        0      0.00  1142.05",
                "Host - here      1       7.00       -1  -1140.00  1147.00",
            ])
    }

    @Test(
        "sums below zero and above twelve digits",
        arguments: [
            (0, "0.00"), (-5, "-0.05"), (-100, "-1.00"), (9_999_999_999_999_999, "99999999999999.99"),
            (Int64.min, "-92233720368547758.08"),
        ])
    func amounts(minorUnits: Int64, text: String) {
        #expect("\(SignedAmount(minorUnits: minorUnits))" == text)
    }
}
