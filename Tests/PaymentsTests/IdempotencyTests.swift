import FirmwareCores
import Gateways
import JSONText
import Ledger
import Money
import Readers
import Synchronization
import Testing
import Transport

@testable import Payments

/// A request with an identifier is carried out once.
@Suite(.serialized) struct IdempotencyTests {
    private static func details(_ identifier: String = "order 7") throws -> RequestDetails {
        try RequestDetails(identifier: identifier, reference: "Mesa 7", email: "a@example.com", phone: "5550001234")
    }

    /// The same request again, with no reader to be had.
    private static func again(_ bed: PaymentBed, _ amount: String) async throws -> PaymentResult {
        await bed.pipeline.sale(
            try SaleRequest(amount: pesos(amount), tip: pesos("1.00"), instalments: .three, details: details()),
            openReader: { () async throws(ReaderError) in
                Issue.record("the reader is opened")
                throw ReaderError(.notFound, during: "the second time")
            })
    }

    @Test(
        "a repeated sale gets the answer of the first, word for word, and moves no money, however the first one ended",
        arguments: [
            ("visa-credit", "100.00", PaymentOutcome.approved), ("mastercard-debit", "100.00", .approved),
            ("visa-credit", "49.00", .declined), ("declines-first", "20.00", .declined), ("none", "20.00", .expired),
            ("bad-afl", "20.00", .failed), ("blocked-card", "20.00", .failed), ("mute", "20.00", .failed),
            ("declines-second", "20.00", .failed), ("pulled-second", "20.00", .failed),
            ("pulled-first", "20.00", .cancelled), ("visa-credit", "109.00", .failed),
        ])
    func repeated(card: String, amount: String, outcome: PaymentOutcome) async throws {
        let bed = try await PaymentBed(card: card, random: CountingRandom())
        let first = try await bed.sale(amount, tip: "1.00", instalments: .three, details: Self.details())
        #expect(first.response.outcome == outcome)
        let booked = bed.issuers.entries.count
        for _ in 0..<2 {
            let second = try await Self.again(bed, amount)
            #expect(second.response.jsonValue.compactText == first.response.jsonValue.compactText)
            #expect((second.failure == nil) == (first.response.outcome != .failed))
        }
        #expect(bed.issuers.entries.count == booked)
        #expect(try await bed.ledger.transactions(limit: 10).count == 1)
    }

    @Test("a repeated sale whose outcome was unknown finds it out first")
    func unknown() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let first = try await bed.sale("189.00", tip: "1.00", instalments: .three, details: Self.details())
        #expect(first.response.outcome == .unknown)
        let second = try await Self.again(bed, "189.00")
        #expect(second.response.outcome == .failed && second.response.statusInfo == .reversed)
        #expect(second.response.transactionID == first.response.transactionID)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("an identifier that was used for other data is refused, whatever differs")
    func otherData() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        func request(
            _ amount: String = "100.00", tip: String = "1.00", msi: Instalments = .three, reference: String = "Mesa 7",
            email: String = "a@example.com", phone: String = "5550001234"
        ) throws -> SaleRequest {
            try SaleRequest(
                amount: pesos(amount), tip: pesos(tip), instalments: msi,
                details: RequestDetails(identifier: "order 7", reference: reference, email: email, phone: phone))
        }
        let first = await bed.pipeline.sale(
            try request(), openReader: { () async throws(ReaderError) in try await bed.openReader() })
        #expect(first.response.outcome == .approved)
        for other in try [
            request("100.01"), request(tip: "1.01"), request("99.00", tip: "2.00"), request(msi: .single),
            request(reference: ""), request(reference: "Mesa 8"), request(email: "b@example.com"),
            request(phone: "5550001235"), request(reference: "Mesa 7\nemail 13 a@example.com"),
        ] {
            let result = await bed.pipeline.sale(
                other, openReader: { () async throws(ReaderError) in throw ReaderError(.notFound, during: "") })
            #expect(result.response.outcome == .failed)
            #expect(result.response.statusInfo.text == "El identifier ya se usó con otros datos")
            #expect(result.response.transactionID.isEmpty)
            guard case .rule(.duplicate) = result.failure else {
                Issue.record("it is not refused by the rule")
                continue
            }
        }
        #expect(bed.issuers.bookedTotal(in: .mxn) == 101_00)
    }

    @Test("callers do not meet each other's identifiers, and sales not those of refunds")
    func scopes() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let first = try await bed.sale("10.01", details: RequestDetails(identifier: "7", scope: "a"))
        let second = try await bed.sale("10.02", details: RequestDetails(identifier: "7", scope: "b"))
        #expect(first.response.outcome == .approved && second.response.outcome == .approved)
        bed.wall.move(seconds: 60)
        let refund = try await bed.refund(
            first.response.transactionID, details: RequestDetails(identifier: "7", scope: "a"))
        #expect(refund.response.outcome == .approved)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 10_02)
    }

    @Test("a repeated refund gets the answer of the first; with other data it is refused")
    func refunds() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("250.00")
        let first = try await bed.refund(sale, "40.00", details: Self.details())
        #expect(first.response.outcome == .approved)
        // The rules of today do not matter to what was done yesterday.
        bed.wall.move(seconds: 86_400)
        let second = try await bed.refund(sale, "40.00", details: Self.details())
        #expect(second.response.jsonValue.compactText == first.response.jsonValue.compactText)
        let other = try await bed.refund(sale, "40.01", details: Self.details())
        #expect(other.response.statusInfo == .duplicate)
        #expect(try await bed.refund(sale, details: Self.details()).response.statusInfo == .duplicate)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 210_00)
    }

    @Test("fifty equal requests at the same moment are one charge with one answer")
    func fifty() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await bed.sale("100.00", details: Self.details()).response.jsonValue.compactText
                }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(answers.count == 50 && Set(answers).count == 1)
        #expect(answers.first?.contains(#""outcome":"approved""#) == true)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 100_00)
        #expect(try await bed.ledger.transactions(limit: 100).count == 1)
    }

    @Test("fifty equal refunds at the same moment are one refund with one answer")
    func fiftyRefunds() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("250.00")
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await bed.refund(sale, "4.00", details: Self.details()).response.jsonValue.compactText
                }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(answers.count == 50 && Set(answers).count == 1)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 246_00)
    }

    @Test("a request that another program is carrying out is waited for")
    func otherProgram() async throws {
        let started = Mutex<Task<PaymentResult, any Error>?>(nil)
        let program = Mutex<(@Sendable () async throws -> PaymentResult)?>(nil)
        let events = GatewayEvents(afterAuthorisation: { _ in
            let body = program.withLock { $0 }
            started.withLock { $0 = Task { try await body?() ?? PaymentResult(PaymentResponse(outcome: .failed)) } }
        })
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        let other = try bed.otherProgram()
        let request = try SaleRequest(amount: pesos("100.00"), details: Self.details())
        program.withLock {
            $0 = {
                await other.sale(
                    request, openReader: { () async throws(ReaderError) in throw ReaderError(.busy, during: "") })
            }
        }
        let first = try await bed.sale("100.00", details: Self.details())
        let task = try #require(started.withLock { $0 })
        let second = try await task.value
        #expect(second.response.jsonValue.compactText == first.response.jsonValue.compactText)
        #expect(first.response.outcome == .approved)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 100_00)
        other.owner.end()
    }

    @Test("a request whose program was killed is resolved first, and then answered")
    func killed() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let details = try Self.details()
        let request = try SaleRequest(amount: pesos("20.00"), details: details)
        let key = try #require(try RequestKey(request))
        try await bed.ledger.begin(
            NewTransaction(
                id: "left", state: PaymentState.cardPresented.name, amount: 2_000, currency: 484,
                identifier: details.identifier, owner: "ended"), identifier: key.rule, at: PaymentBed.noon)
        let result = try await bed.sale("20.00", details: details)
        #expect(result.response.transactionID == "left")
        #expect(result.response.outcome == .failed && result.response.statusInfo == .interrupted)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("everything that the ledger can hold of a statusinfo comes back as it was")
    func statusInfo() {
        let all: [StatusInfo] = [
            .none, .cancelled, .readerMissing, .readerUnusable, .readerLost, .cardRemoved, .cardFault, .cardNotAccepted,
            .expired, .busy, .unknown, .reversed, .reversedReaderLost, .interrupted, .declinedByOperator, .cardDeclined,
            .storageFailed, .issuerDeclined(code: "51", text: "Fondos insuficientes"),
            .issuerDeclined(code: "99", text: ""), .hostError(.notSent), .notApproved,
        ]
        for info in all { #expect(StatusInfo(code: info.code, text: info.text) == info) }
        #expect(StatusInfo(code: "of a later version", text: "?") == .unknown)
        let earlier = StatusInfo(code: "hostError", text: "Error del procesador gateway.notSent")
        #expect(earlier == .hostError(.notSent) && earlier.text == "Error del procesador 6001")
    }

    @Test("a refund that several programs are asked for at once is made once, and each tells the same answer")
    func refundByPrograms() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let programs = try (0..<6).map { _ in try bed.otherProgram(random: SystemRandomSource()) }
        for round in 0..<25 {
            let sale = try await bed.approvedSale("100.00")
            let request = try RefundRequest(
                transactionID: sale, amount: nil, details: RequestDetails(identifier: "refund \(round)"))
            let results = await withTaskGroup(of: PaymentResult.self) { group in
                for program in programs { group.addTask { await program.refund(request) } }
                return await group.reduce(into: [PaymentResult]()) { $0.append($1) }
            }
            #expect(results.allSatisfy { $0.response.outcome == .approved }, "\(results.map(\.response.statusInfo))")
            #expect(Set(results.map(\.response.transactionID)).count == 1)
        }
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }
}
