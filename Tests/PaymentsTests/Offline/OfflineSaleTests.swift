import EMV
import FirmwareCores
import Gateways
import Ledger
import Payments
import Synchronization
import Testing

/// A sale without the host: what the card is asked, what is told, what is kept.
@Suite struct OfflineSaleTests {
    private static func journal(_ kiosk: OfflineBed, _ id: String) async throws -> [String] {
        try await kiosk.bed.ledger.journal(of: id).map { "\($0.to) \($0.detail ?? "")" }
    }

    @Test("the host cannot be reached: the card gives a TC (Y3), and the sale is approved and stored")
    func unableToGoOnline() async throws {
        let kiosk = try await OfflineBed()
        let result = try await kiosk.sale("100.00", tip: "15.00")
        #expect(result.response.outcome == .approved && result.failure == nil)
        #expect(result.response.authorization == "" && result.response.arqc.utf8.count == 16)
        let log = try #require(kiosk.bed.cardLog)
        #expect(log.firstAsked == 0x80 && log.secondAsked == 0x40 && log.secondAnswer == 0x40)
        #expect(log.secondValue("8A") == "5933")
        let record = try await kiosk.record(result.response.transactionID)
        #expect(record.state == "approved" && record.outcome == "approved" && record.offline == .stored)
        #expect(record.responseCode == "Y3" && record.approvedAt == PaymentBed.noon && record.resolveAt == nil)
        #expect(try await kiosk.held() == StoredTotal(count: 1, amount: 115_00))
        #expect(kiosk.booked == 0)
        #expect(
            try await Self.journal(kiosk, record.id).suffix(3) == [
                "authorizing ", "authorizing room for an offline approval", "approved approved offline (Y3)",
            ])
    }

    @Test("the receipt says that it was approved without the host")
    func receipt() async throws {
        let kiosk = try await OfflineBed()
        let id = try await kiosk.storedSale("100.00")
        let receipt = try #require(try await kiosk.record(id).receipt.flatMap(Receipt.init(json:)))
        #expect(receipt.isApproved && receipt.isApprovedOffline && receipt.chip?.cryptogramType == "TC")
        let spanish = receipt.text(copy: .cardholder, language: .spanish)
        #expect(spanish.contains("VENTA - APROBADA SIN CONEXIÓN") && spanish.contains("Y3"))
        #expect(!spanish.contains("Autorización"))
        #expect(receipt.html(copy: .merchant, language: .english).contains("SALE - APPROVED OFFLINE"))
    }

    @Test("where nothing is to be approved offline the card is never asked for a TC without the host")
    func off() async throws {
        for kiosk in [
            try await OfflineBed(approvals: .some(nil)), try await OfflineBed(key: nil),
            try await OfflineBed(isOnlineOnly: true),
        ] {
            let result = try await kiosk.sale("100.00")
            #expect(result.response.outcome == .failed)
            #expect(result.response.statusInfo.text == "Error del procesador 6001")
            let log = try #require(kiosk.bed.cardLog)
            #expect(log.firstAsked == 0x80 && log.secondAsked == 0x00 && log.secondValue("8A") == "5A33")
            #expect(try await kiosk.held().count == 0)
            #expect(try await kiosk.record(result.response.transactionID).offline == nil)
        }
    }

    @Test("a request that may have reached the host is unknown, never approved offline as well")
    func mayHaveLeft() async throws {
        let isDown = Atomic(true)
        let bed = try await PaymentBed(
            card: "visa-offline", random: CountingRandom(),
            events: GatewayEvents(isDown: { isDown.load(ordering: .relaxed) }))
        let pipeline = try OfflineBed.program(bed, owner: bed.owner, try OfflineBed.approvals(), OfflineBed.key)
        let result = await pipeline.sale(
            try SaleRequest(amount: pesos("100.00"), details: RequestDetails()), openReader: bed.openReader)
        #expect(result.response.outcome == .unknown)
        #expect(bed.cardLog?.secondAsked == 0x00 && bed.cardLog?.secondValue("8A") == "5A33")
        #expect(try await bed.ledger.storedTotal().count == 0)
    }

    @Test("a card that does not approve by itself ends the sale, and its room is free again")
    func cardRefuses() async throws {
        var approvals = try OfflineBed.approvals()
        approvals.count = 1
        let kiosk = try await OfflineBed(card: "visa-dda", approvals: approvals)
        for _ in 0..<2 {
            let result = try await kiosk.sale("100.00")
            #expect(result.response.outcome == .failed)
            let log = try #require(kiosk.bed.cardLog)
            #expect(log.secondAsked == 0x40 && log.secondAnswer == 0x00, "there was room to ask")
        }
        #expect(try await kiosk.held().count == 0)
    }

    @Test("a card whose issuer wants no approval offline is not asked for one")
    func notAuthenticated() async throws {
        // No offline data authentication: the action codes for a host that cannot be reached decline.
        let kiosk = try await OfflineBed(card: "approves-offline")
        #expect(try await kiosk.sale("100.00").response.outcome == .failed)
        #expect(kiosk.bed.cardLog?.secondAsked == 0x00)
    }

    @Test("below the floor limit a kiosk that need not ask approves at once (Y1), with the host in reach")
    func atOnce() async throws {
        var approvals = try OfflineBed.approvals()
        approvals.asksHostFirst = false
        let kiosk = try await OfflineBed(approvals: approvals, isCut: false)
        let result = try await kiosk.sale("100.00")
        #expect(result.response.outcome == .approved && result.response.arqc == "")
        let log = try #require(kiosk.bed.cardLog)
        #expect(log.firstAsked == 0x40 && log.firstAnswer == 0x40)
        #expect(kiosk.bed.gateway.requests.isEmpty)
        let record = try await kiosk.record(result.response.transactionID)
        #expect(record.responseCode == "Y1" && record.offline == .stored)
        try await kiosk.recover()
        #expect(try await kiosk.record(record.id).offline == .forwarded && kiosk.booked == 100_00)
    }

    @Test("a kiosk that asks the host first asks it, whatever the floor limit")
    func hostFirst() async throws {
        let kiosk = try await OfflineBed(isCut: false)
        #expect(try await kiosk.sale("100.00").response.authorization.utf8.count == 6)
        #expect(kiosk.bed.cardLog?.firstAsked == 0x80)
        #expect(try await kiosk.held().count == 0 && kiosk.booked == 100_00)
    }

    @Test("a card that wants the host after all gets it, and the room that was held is free")
    func wantsHost() async throws {
        var approvals = try OfflineBed.approvals()
        approvals.asksHostFirst = false
        approvals.count = 1
        let free = Mutex<[Bool]>([])
        let kiosk = try await OfflineBed(card: "visa-dda", approvals: approvals, isCut: false) { ledger in
            // While the host is asked, somebody else could have the room.
            let id = "other \(free.withLock { $0.count })"
            let caps = OfflineCaps(perSale: 1, total: 1, count: 1, longestWait: 1)
            do {
                let other = NewTransaction(id: id, state: "created", amount: 1, currency: 484)
                try await ledger.begin(other, at: PaymentBed.noon)
                let cap = try await ledger.reserveOffline(
                    id, amount: 1, currency: 484, within: caps, at: PaymentBed.noon)
                let end = Transition(id, from: ["created"], to: "failed", stored: .release)
                try await ledger.advance([end], at: PaymentBed.noon)
                free.withLock { $0.append(cap == nil) }
            } catch {
                Issue.record("\(error)")
            }
        }
        for _ in 0..<2 {
            let result = try await kiosk.sale("100.00")
            #expect(result.response.outcome == .approved && result.response.authorization.utf8.count == 6)
            #expect(kiosk.bed.cardLog?.firstAsked == 0x40 && kiosk.bed.cardLog?.firstAnswer == 0x80)
        }
        #expect(free.withLock { $0 } == [true, true])
        #expect(try await kiosk.held().count == 0 && kiosk.booked == 200_00)
    }

    @Test("an approval that the ledger does not take is none: failed, and nothing is ever sent")
    func storage() async throws {
        let kiosk = try await OfflineBed()
        try await kiosk.bed.ledger.tamper(
            "CREATE TRIGGER refuse BEFORE UPDATE ON stored_payments BEGIN SELECT RAISE(ABORT, 'no'); END")
        let result = try await kiosk.sale("100.00")
        #expect(result.response.outcome == .failed && result.response.statusInfo == .storageFailed)
        #expect(try await kiosk.bed.state(result.response.transactionID) == "failed")
        kiosk.restore()
        #expect(try await kiosk.recover().isEmpty && kiosk.booked == 0)
    }

    @Test("the same request again gets the stored answer at once, before and after it is forwarded")
    func repetition() async throws {
        let kiosk = try await OfflineBed()
        let details = try RequestDetails(identifier: "order 7")
        let first = try await kiosk.sale("100.00", details: details).response
        let again = try await kiosk.sale("100.00", details: details).response
        #expect(again.outcome == .approved && again.transactionID == first.transactionID)
        #expect(kiosk.advices == 0, "it waits for nobody")
        kiosk.restore()
        try await kiosk.recover()
        let last = try await kiosk.sale("100.00", details: details).response
        #expect(last.outcome == .approved && last.transactionID == first.transactionID && kiosk.advices == 1)
    }
}
