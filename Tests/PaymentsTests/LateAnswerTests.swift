import Gateways
import Ledger
import Payments
import Testing

/// Answers that came when nobody waited for them any more.
@Suite struct LateAnswerTests {
    private func late(
        _ attempt: String, _ question: LateAnswer.Question = .authorisation, _ code: ResponseCode? = .approved
    ) throws -> LateAnswer {
        LateAnswer(attempt: try #require(AttemptID(attempt)), question: question, responseCode: code)
    }

    @Test("a late approval of an unknown sale is noted, decides nothing, and makes recovery due at once")
    func unknown() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.sale("190.00").response
        #expect(sale.outcome == .unknown)
        let id = sale.transactionID
        try await bed.ledger.schedule(id, resolveAt: PaymentBed.noon + 600_000, tries: 4)
        #expect(try await bed.recover(.due).isEmpty)
        let attempt = try #require(try await bed.ledger.transaction(id).attemptID)
        await LateAnswerJournal(ledger: bed.ledger, wallClock: bed.wall).note(try late(attempt))
        let record = try await bed.ledger.transaction(id)
        #expect(record.state == "unknown" && record.outcome == "unknown")
        #expect(record.resolveAt == PaymentBed.noon && record.resolveTries == 4)
        #expect(
            try await bed.ledger.journal(of: id).last?.detail
                == "late answer to the authorisation: approved (00); recovery is to ask now")
        #expect(try await bed.recover(.due).map(\.record.state) == ["reversed"])
    }

    @Test("an answer about a payment that has an end is noted, and plans nothing")
    func ended() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let id = try await bed.approvedSale("100.00")
        let attempt = try #require(try await bed.ledger.transaction(id).attemptID)
        let journal = LateAnswerJournal(ledger: bed.ledger, wallClock: bed.wall)
        await journal.note(try late(attempt, .reversal, ResponseCode("25")))
        await journal.note(try late(attempt, .inquiry, nil))
        await journal.note(try late("of-nobody"))
        #expect(try await bed.ledger.transaction(id).resolveAt == nil, "that would owe a void")
        #expect(
            try await bed.ledger.journal(of: id).suffix(2).map(\.detail)
                == [
                    "late answer to the reversal: not approved (25)",
                    "late answer to the inquiry: without a response code",
                ])
    }

    @Test("a refund that the host cannot be asked about says so, each time and at the end")
    func noInquiries() async throws {
        let bed = try await PaymentBed(
            random: CountingRandom(), events: GatewayEvents(answersInquiries: false))
        let sale = try await bed.approvedSale("250.00")
        let refund = try await bed.refund(sale, "190.00").response
        #expect(refund.outcome == .unknown)
        let first = try #require(try await bed.recover(.due).first)
        #expect(
            first.reason.hasPrefix(
                "attempt 1: no answer (gateway.noAnswer, this host cannot be asked about a refund); again in "))
        #expect(first.reason.hasSuffix(" ms, and for a person after a day: ask the acquirer"))
        bed.wall.move(seconds: 24 * 3600)
        try await bed.ledger.schedule(refund.transactionID, resolveAt: 0, tries: 10)
        let last = try #require(try await bed.recover(.due).first)
        #expect(last.needsPerson)
        #expect(
            last.reason
                == "given up after 11 attempts (gateway.noAnswer, this host cannot be asked about a refund): "
                + "ask the acquirer")
    }
}
