import Ledger
import Notices
import Testing
import Webhooks

/// What a row of the ledger becomes in a notice.
@Suite struct NoticeBodyTests {
    let bed = OutboxBed()

    private func record(_ change: TransactionChange = TransactionChange()) async throws -> TransactionRecord {
        let ledger = try await bed.open()
        try await bed.sale("01SALE", in: ledger)
        try await ledger.advance("01SALE", from: ["approved"], to: "approved", change: change, at: OutboxBed.noon)
        let record = try await ledger.transaction("01SALE")
        await ledger.close()
        return record
    }

    @Test("every field has its place")
    func fields() async throws {
        let notice = try #require(ApprovedTransaction(try await record(), userID: 17))
        #expect(
            String(decoding: notice.body, as: UTF8.self)
                == #"{"result":"aprobada","amount":"100.00","tip":"15.00","payments":1,"#
                + #""authorizationTime":"2026-03-02T18:00:05Z","reference":"Mesa 7","transactionid":"01SALE","#
                + #""authorization":"123456","creditcard":"0119","cardtype":"VISA","arqc":"0123456789ABCDEF","#
                + #""userID":17,"aid":"A0000000031010","applabel":"VISA CRÉDITO","url":"01SALE","#
                + #""uniqueReference":"order 01SALE"}"#)
    }

    @Test(
        "the amounts are those that the issuer has approved: the goods first, then the tip",
        arguments: [
            (Int64(11_500), "100.00", "15.00"), (11_499, "100.00", "14.99"), (10_000, "100.00", "0.00"),
            (6_000, "60.00", "0.00"),
        ])
    func approvedAmount(total: Int64, amount: String, tip: String) async throws {
        var change = TransactionChange()
        change.approvedAmount = total
        let notice = try #require(ApprovedTransaction(try await record(change), userID: 0))
        #expect(notice.amount == amount && notice.tip == tip)
    }

    @Test("months of deferral; a refund and a currency that nobody knows make no notice")
    func others() async throws {
        var record = try await record()
        record.msi = 6
        #expect(ApprovedTransaction(record, userID: 0)?.payments == 6)
        record.currency = 1
        #expect(ApprovedTransaction(record, userID: 0) == nil)
        record.currency = 484
        record.kind = .refund
        #expect(ApprovedTransaction(record, userID: 0) == nil)
    }
}
