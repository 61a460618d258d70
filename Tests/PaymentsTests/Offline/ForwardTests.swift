import Crypto
import EMV
import Gateways
import Ledger
import Payments
import Synchronization
import Testing
import Transport

/// The host hears of each sale that was approved without it, once.
@Suite struct ForwardTests {
    @Test("after a restart another program forwards it, with the TC and under the sale's own identity")
    func forwarded() async throws {
        let kiosk = try await OfflineBed()
        let id = try await kiosk.storedSale("100.00")
        kiosk.bed.owner.end()
        kiosk.restore()
        let other = try kiosk.otherProgram()
        let resolutions = try await Recovery(other).run(.due, until: .after(.seconds(600), on: kiosk.bed.clock))
        #expect(resolutions.map(\.isOpen) == [false])
        #expect(resolutions.map(\.reason) == ["forwarded; the host has booked it (00)"])
        let advice = try #require(kiosk.bed.gateway.advices.first)
        #expect(advice.approval == .unableToGoOnline && advice.request.attempt.text == id)
        guard case .clear(let pan, _) = advice.request.account else {
            Issue.record("an advice has its account in clear")
            return
        }
        #expect(pan.lastFour == "0119" && advice.request.entryMode == .contactChip)
        let record = try await kiosk.record(id)
        #expect(record.state == "approved" && record.offline == .forwarded && record.authorisation?.utf8.count == 6)
        #expect(record.bank == "Banco de Pruebas Uno")
        #expect(kiosk.booked == 100_00 && kiosk.advices == 1)
        #expect(try await kiosk.held().count == 0)
        #expect(try await kiosk.recover().isEmpty && kiosk.advices == 1, "nothing is left to tell")
    }

    @Test("without a line the attempts are counted and planned further and further ahead, and never given up")
    func noLine() async throws {
        let kiosk = try await OfflineBed()
        let id = try await kiosk.storedSale("100.00")
        for tries in 1...14 {
            let now = kiosk.bed.wall.nowMilliseconds()
            #expect(try await kiosk.recover(.due).map(\.isOpen) == [true])
            let stored = try #require(try await kiosk.bed.ledger.storedPayment(id))
            #expect(stored.tries == tries && !stored.mayHaveLeft)
            #expect((now...now + 900_000).contains(stored.dueAt))
            if stored.dueAt > now { #expect(try await kiosk.recover(.due).isEmpty, "not before its time") }
            kiosk.bed.wall.move(seconds: 86_400)
        }
        kiosk.restore()
        try await kiosk.recover(.due)
        #expect(kiosk.booked == 100_00)
    }

    @Test("an answer that is lost: the host is told again, and books once")
    func lostAnswer() async throws {
        let kiosk = try await OfflineBed()
        let id = try await kiosk.storedSale("100.00")
        kiosk.restore()
        kiosk.line.losesAdvices.store(true, ordering: .relaxed)
        for _ in 0..<3 { #expect(try await kiosk.recover().map(\.isOpen) == [true]) }
        #expect(try await kiosk.bed.ledger.storedPayment(id)?.mayHaveLeft == true)
        #expect(kiosk.booked == 100_00)
        kiosk.line.losesAdvices.store(false, ordering: .relaxed)
        try await kiosk.recover()
        #expect(try await kiosk.record(id).offline == .forwarded)
        #expect(kiosk.booked == 100_00 && kiosk.advices == 4)
    }

    @Test("of several programs that forward at the same moment one does it")
    func once() async throws {
        let kiosk = try await OfflineBed()
        let ids = [try await kiosk.storedSale("100.00"), try await kiosk.storedSale("50.01")]
        kiosk.restore()
        let others = try (0..<8).map { _ in try kiosk.otherProgram() }
        await withTaskGroup(of: Void.self) { group in
            for other in others {
                group.addTask {
                    _ = try? await Recovery(other).run(.due, until: .after(.seconds(600), on: kiosk.bed.clock))
                }
            }
        }
        #expect(kiosk.advices == 2 && kiosk.booked == 150_01)
        for id in ids { #expect(try await kiosk.record(id).offline == .forwarded) }
    }

    @Test("the host refuses: the sale stays approved for its payer, and is told of as refused; nothing is sent again")
    func refused() async throws {
        let kiosk = try await OfflineBed()
        // The issuer's table declines this amount.
        let id = try await kiosk.storedSale("50.00")
        kiosk.restore()
        let resolution = try #require(try await kiosk.recover().first)
        #expect(resolution.reason == "the host refuses the offline sale (05): nobody pays for it" && !resolution.isOpen)
        let record = try await kiosk.record(id)
        #expect(record.state == "approved" && record.offline == .refused && record.responseCode == "05")
        #expect(try await kiosk.bed.ledger.offlineSales(.refused).map(\.id) == [id])
        #expect(try await kiosk.held().count == 0 && kiosk.booked == 0)
        #expect(try await kiosk.recover().isEmpty && kiosk.advices == 1)
        let refund = await kiosk.pipeline.refund(try RefundRequest(transactionID: id, details: RequestDetails()))
        #expect(refund.response.statusInfo == .notApproved)
        guard case .refused(.refusedOffline, _) = await kiosk.pipeline.void(id) else {
            Issue.record("nothing is to be taken back")
            return
        }
    }

    @Test("a refund waits until the host has heard of the sale")
    func refund() async throws {
        let kiosk = try await OfflineBed()
        let id = try await kiosk.storedSale("100.00")
        let early = await kiosk.pipeline.refund(try RefundRequest(transactionID: id, details: RequestDetails()))
        #expect(early.response.outcome == .unknown && early.response.transactionID == "")
        kiosk.restore()
        let refund = await kiosk.pipeline.refund(
            try RefundRequest(transactionID: id, amount: pesos("40.00"), details: RequestDetails()))
        #expect(refund.response.outcome == .approved && kiosk.advices == 1)
        #expect(try await kiosk.record(id).offline == .forwarded && kiosk.booked == 60_00)
    }

    @Test("a void of what cannot have reached the host needs no word to it")
    func voidUnsent() async throws {
        let kiosk = try await OfflineBed()
        let id = try await kiosk.storedSale("100.00")
        try await kiosk.recover()
        guard case .voided(let record) = await kiosk.pipeline.void(id) else {
            Issue.record("not voided")
            return
        }
        #expect(record.state == "voided" && record.offline == .dropped)
        #expect(kiosk.bed.gateway.reversals.isEmpty)
        #expect(try await kiosk.held().count == 0)
        kiosk.restore()
        #expect(try await kiosk.recover().isEmpty && kiosk.booked == 0)
    }

    @Test("a void of what the host may have heard of is the host's to do, and meanwhile nothing is forwarded")
    func voidSent() async throws {
        let kiosk = try await OfflineBed()
        let id = try await kiosk.storedSale("100.00")
        kiosk.restore()
        kiosk.line.losesAdvices.store(true, ordering: .relaxed)
        try await kiosk.recover()
        #expect(kiosk.booked == 100_00)
        kiosk.line.isCut.store(true, ordering: .relaxed)
        guard case .unknown = await kiosk.pipeline.void(id) else {
            Issue.record("the host is not there")
            return
        }
        kiosk.restore()
        #expect(try await kiosk.recover().map(\.record.state) == ["voided"])
        #expect(kiosk.booked == 0 && kiosk.advices == 1)
        #expect(try await kiosk.record(id).offline == .dropped)
        #expect(try await kiosk.held().count == 0)
    }

    @Test("a void of a forwarded sale is an ordinary one")
    func voidForwarded() async throws {
        let kiosk = try await OfflineBed()
        let id = try await kiosk.storedSale("100.00")
        kiosk.restore()
        try await kiosk.recover()
        guard case .voided(let record) = await kiosk.pipeline.void(id) else {
            Issue.record("not voided")
            return
        }
        #expect(record.offline == .forwarded && kiosk.booked == 0 && kiosk.bed.gateway.reversals.count == 1)
    }

    @Test("where no more is approved, what is stored is still forwarded")
    func switchedOff() async throws {
        let kiosk = try await OfflineBed()
        _ = try await kiosk.storedSale("100.00")
        kiosk.restore()
        let other = try kiosk.otherProgram(nil)
        try await Recovery(other).run(.all, until: .after(.seconds(600), on: kiosk.bed.clock))
        #expect(kiosk.booked == 100_00)
    }
}
