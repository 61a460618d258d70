import Gateways
import JSONText
import Ledger
import Money
import Payments
import Synchronization
import Testing

/// The refund rules, checked in the order notFound, notApproved, tooSoon, tooLate, tooMuch.
@Suite struct RefundTests {
    private static func bed() async throws -> PaymentBed { try await PaymentBed(random: CountingRandom()) }

    private static func refusal(_ result: PaymentResult) -> StatusInfo? {
        let info: StatusInfo? =
            switch result.failure {
            case .rule(let info): info
            case .alreadyRefunded: .tooMuch
            default: nil
            }
        guard result.response.outcome == .failed, let info else { return nil }
        #expect(result.response.statusInfo == info)
        #expect(result.response.transactionID.isEmpty && result.response.url.isEmpty)
        return info
    }

    @Test("parts of a sale are refunded until nothing is left")
    func parts() async throws {
        let bed = try await Self.bed()
        let sale = try await bed.approvedSale("250.00")
        #expect(try await bed.refund(sale, "100.00").response.outcome == .approved)
        #expect(try await bed.state(sale) == "partiallyRefunded")
        #expect(try await Self.refusal(bed.refund(sale, "150.01")) == .tooMuch)
        #expect(try await bed.refund(sale, "150.00").response.outcome == .approved)
        #expect(try await bed.state(sale) == "refunded")
        #expect(try await Self.refusal(bed.refund(sale, "0.01")) == .tooMuch)
        #expect(try await Self.refusal(bed.refund(sale)) == .tooMuch)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("without an amount everything that is left goes back, the tip included")
    func whole() async throws {
        let bed = try await Self.bed()
        let sale = try await bed.approvedSale("100.00", tip: "15.00")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 11_500)
        let refund = try await bed.refund(sale)
        #expect(refund.response.amount?.minorUnits == 11_500)
        #expect(refund.response.tip?.isZero == true)
        #expect(try await bed.state(sale) == "refunded")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("the reply to a refund is the response model of the card that paid")
    func reply() async throws {
        let bed = try await Self.bed()
        let sale = try await bed.approvedSale("250.00")
        let response = try await bed.refund(sale, "40.00").response
        let record = try await bed.ledger.transaction(response.transactionID)
        #expect(record.kind == .refund && record.originalID == sale && record.amount == 4_000)
        let expected =
            #"{"result":"aprobada","statusinfo":"","amount":"40.00","tip":"0.00","reference":"","#
            + #""transactionid":"\#(record.id)","msi":0,"authorization":"\#(record.authorisation ?? "?")","#
            + #""creditcard":"0119","cardtype":"VISA","email":"","phone":"","arqc":"","aid":"","applabel":"","#
            + #""url":"\#(record.id)","identifier":"","bank":"Banco de Pruebas Uno","accountType":"credit","#
            + #""name":"TEST CARDHOLDER/ONE","bp_version":"0.1.0","outcome":"approved"}"#
        #expect(response.jsonValue.compactText == expected)
    }

    @Test("of two refunds at the same moment that together exceed the sale exactly one succeeds")
    func parallel() async throws {
        for _ in 0..<10 {
            let bed = try await Self.bed()
            let sale = try await bed.approvedSale("250.00")
            async let first = bed.refund(sale, "200.00")
            async let second = bed.refund(sale, "200.00")
            let results = try await [first, second]
            #expect(results.filter { $0.response.outcome == .approved }.count == 1)
            #expect(results.compactMap(Self.refusal) == [.tooMuch])
            #expect(bed.issuers.bookedTotal(in: .mxn) == 5_000)
        }
    }

    @Test("of two refunds of everything at the same moment one succeeds, and nothing is left for the other")
    func parallelWhole() async throws {
        for _ in 0..<10 {
            let bed = try await Self.bed()
            let sale = try await bed.approvedSale("250.00")
            async let first = bed.refund(sale)
            async let second = bed.refund(sale)
            let results = try await [first, second]
            #expect(results.filter { $0.response.outcome == .approved }.count == 1)
            #expect(results.compactMap(Self.refusal) == [.tooMuch])
            #expect(try await bed.state(sale) == "refunded")
            #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
        }
    }

    @Test("parallel refunds of all the parts of a sale leave it refunded", arguments: [8, 20])
    func parallelParts(count: Int) async throws {
        for _ in 0..<5 {
            let bed = try await Self.bed()
            let sale = try await bed.approvedSale("\(count).00")
            let outcomes = try await withThrowingTaskGroup(of: PaymentOutcome.self) { group in
                for _ in 0..<count {
                    group.addTask { try await bed.refund(sale, "1.00").response.outcome }
                }
                return try await group.reduce(into: [PaymentOutcome]()) { $0.append($1) }
            }
            #expect(outcomes == Array(repeating: .approved, count: count))
            #expect(try await bed.state(sale) == "refunded")
            #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
            await bed.ledger.close()
        }
    }

    @Test("a sale whose program was killed while the issuer was asked is resolved before a refund is looked at")
    func authorising() async throws {
        let bed = try await Self.bed()
        try await bed.ledger.begin(
            NewTransaction(id: "left", state: PaymentState.authorizing.name, amount: 100, currency: 484),
            at: PaymentBed.noon)
        #expect(try await Self.refusal(bed.refund("left")) == .notApproved)
        #expect(try await bed.state("left") == "reversed")
    }

    @Test("a sale that cannot be resolved leaves the outcome unknown, and nothing refunded")
    func unresolvable() async throws {
        let isDown = Mutex(false)
        let events = GatewayEvents(isDown: { isDown.withLock { $0 } })
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        let sale = try await bed.sale("190.00").response.transactionID
        isDown.withLock { $0 = true }
        let result = try await bed.refund(sale)
        #expect(result.response.outcome == .unknown)
        #expect(result.response.statusInfo.text == "Resultado desconocido, en verificación")
        #expect(result.response.transactionID.isEmpty)
        #expect(result.failure?.sentence == "The outcome of this sale is not known yet; nothing was refunded.")
        #expect(try await bed.state(sale) == "unknown")
        #expect(try await bed.ledger.refunds(of: sale).isEmpty)
    }

    @Test("when nothing is left, the sentence says so to whoever asks for the rest, and not to who names an amount")
    func nothingLeft() async throws {
        let bed = try await Self.bed()
        let sale = try await bed.approvedSale("30.00")
        #expect(try await bed.refund(sale).response.outcome == .approved)
        #expect(
            try await bed.refund(sale).failure?.sentence == "Everything of this sale has been refunded already.")
        #expect(
            try await bed.refund(sale, "1.00").failure?.sentence
                == "The amount is more than what is left to refund of this sale.")
    }

    @Test(
        "times that no clock shows refuse a refund, and nothing more",
        arguments: [
            ("approved_at", Int64.min, .tooLate), ("approved_at", .max, .tooSoon), ("created_at", .min, .tooLate),
            ("created_at", .max, .tooLate),
        ] as [(String, Int64, StatusInfo)])
    func extremeTimes(column: String, time: Int64, objection: StatusInfo) async throws {
        let bed = try await Self.bed()
        let sale = try await bed.approvedSale("30.00")
        try await bed.ledger.tamper("UPDATE transactions SET \(column) = \(time) WHERE id = '\(sale)'")
        #expect(try await Self.refusal(bed.refund(sale)) == objection)
    }

    @Test("a sale that does not exist, and a refund, cannot be refunded")
    func notFound() async throws {
        let bed = try await Self.bed()
        #expect(try await Self.refusal(bed.refund("01KJQVA4480123456789ABCDEF")) == .notFound)
        #expect(try await Self.refusal(bed.refund("'; DROP TABLE transactions; --")) == .notFound)
        let sale = try await bed.approvedSale("250.00")
        let refund = try await bed.refund(sale, "40.00").response.transactionID
        #expect(try await Self.refusal(bed.refund(refund)) == .notFound)
    }

    @Test("a sale that was declined cannot be refunded, whatever the hour and the amount")
    func notApproved() async throws {
        let bed = try await Self.bed()
        let sale = try await bed.sale("50.00").response.transactionID
        #expect(try await Self.refusal(bed.refund(sale, "9000.00")) == .notApproved)
        bed.wall.move(seconds: 3 * 86_400)
        #expect(try await Self.refusal(bed.refund(sale)) == .notApproved)
    }

    @Test("a sale whose outcome is unknown is resolved first: what the issuer had taken goes back")
    func unknown() async throws {
        let bed = try await Self.bed()
        let sale = try await bed.sale("190.00").response.transactionID
        bed.wall.move(seconds: 60)
        #expect(try await Self.refusal(bed.refund(sale)) == .notApproved)
        #expect(try await bed.state(sale) == "reversed")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("too soon comes before too much")
    func tooSoon() async throws {
        let bed = try await Self.bed()
        let sale = try await bed.sale("250.00").response.transactionID
        bed.wall.move(seconds: 59)
        #expect(try await Self.refusal(bed.refund(sale, "9000.00")) == .tooSoon)
        bed.wall.move(seconds: 1)
        #expect(try await Self.refusal(bed.refund(sale, "9000.00")) == .tooMuch)
        #expect(try await bed.refund(sale, "250.00").response.outcome == .approved)
    }

    @Test("too late comes before too much, also for a sale that was refunded in full")
    func tooLate() async throws {
        let bed = try await Self.bed()
        let sale = try await bed.approvedSale("250.00")
        let refunded = try await bed.approvedSale("30.00")
        #expect(try await bed.refund(refunded).response.outcome == .approved)
        #expect(try await Self.refusal(bed.refund(refunded)) == .tooMuch)
        bed.wall.move(seconds: 11 * 3600)
        #expect(try await Self.refusal(bed.refund(sale, "9000.00")) == .tooLate)
        #expect(try await Self.refusal(bed.refund(refunded)) == .tooLate)
    }

    @Test("a refund of which nobody knows the outcome keeps its part of the sale")
    func unknownRefund() async throws {
        let bed = try await Self.bed()
        let sale = try await bed.approvedSale("250.00")
        #expect(try await bed.refund(sale, "190.00").response.outcome == .unknown)
        #expect(try await Self.refusal(bed.refund(sale, "60.01")) == .tooMuch)
        #expect(try await bed.refund(sale, "60.00").response.outcome == .approved)
        #expect(try await bed.state(sale) == "partiallyRefunded")
    }
}
