import Testing
import Webhooks

struct BodyTests {
    @Test func theBodyHasTheDocumentedFieldsInOrder() {
        var transaction = ApprovedTransaction(transactionID: "t1", amount: "100.00", approvedAt: 1_700_000_000_999)
        transaction.tip = "15.00"
        transaction.payments = 3
        transaction.creditCard = "0119"
        transaction.userID = 42
        transaction.reference = "mesa ñ \"4\""
        let expected =
            #"{"result":"aprobada","amount":"100.00","tip":"15.00","payments":3,"#
            + #""authorizationTime":"2023-11-14T22:13:20Z","reference":"mesa ñ \"4\"","transactionid":"t1","#
            + #""authorization":"","creditcard":"0119","cardtype":"","arqc":"","userID":42,"aid":"","applabel":"","#
            + #""url":"","uniqueReference":""}"#
        #expect(String(decoding: transaction.body, as: UTF8.self) == expected)
    }

    // `date -u -d @SECONDS +%FT%TZ` gives the same.
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
        (4_107_542_399_000, "2100-02-28T23:59:59Z"), (4_107_542_400_000, "2100-03-01T00:00:00Z"),
        (Int64.max, "9999-12-31T23:59:59Z"), (Int64.min, "0001-01-01T00:00:00Z"),
    ])
    func theTimeIsInUTC(_ milliseconds: Int64, _ text: String) {
        let transaction = ApprovedTransaction(transactionID: "t1", amount: "1.00", approvedAt: milliseconds)
        #expect(String(decoding: transaction.body, as: UTF8.self).contains(#""authorizationTime":"\#(text)""#))
    }
}
