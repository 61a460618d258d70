import Gateways
import Glibc
import Ledger
import Money
import Payments
import Synchronization
import Testing

/// A ledger that fails while a sale is under way: the reply tells the truth about the money, and names the ledger.
@Suite struct StorageFailureTests {
    private static func code(_ result: PaymentResult) -> LedgerError.Code? {
        if case .ledger(let error) = result.failure { error.code } else { nil }
    }

    private static func fill(_ ledger: Ledger) async {
        do { try await ledger.fillDisk() } catch { Issue.record(error) }
    }

    private static func makeRoom(_ ledger: Ledger) async {
        do { try await ledger.makeRoomOnDisk() } catch { Issue.record(error) }
    }

    @Test(
        "a ledger that is removed before the issuer is asked ends the sale there",
        arguments: [PaymentProgress.insertCard, .doNotRemoveCard])
    func removedBefore(step: PaymentProgress) async throws {
        let bed = try await PaymentBed()
        let directory = bed.directory
        let result = try await bed.sale("20.00") { if $0 == step { directory.remove() } }
        #expect(result.response.outcome == .failed)
        #expect(result.response.statusInfo == .storageFailed)
        #expect(Self.code(result) == .notWritable)
        #expect(bed.gateway.requests.isEmpty)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("a ledger that is removed while the issuer answers: the approval is taken back")
    func removedMeanwhile() async throws {
        let bed = try await PaymentBed()
        let directory = bed.directory
        let result = try await bed.sale("20.00") { if $0 == .authorising { directory.remove() } }
        #expect(bed.gateway.requests.count == 1)
        #expect(result.response.outcome == .failed)
        #expect(result.response.statusInfo == .reversed)
        #expect(result.response.url.isEmpty)
        #expect(Self.code(result) == .notWritable)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("a disk that is full for the answer, and has room after the reversal, holds both in the end")
    func fullForAWhile() async throws {
        let bed = try await PaymentBed(
            events: GatewayEvents(afterAuthorisation: Self.fill, afterReversal: Self.makeRoom))
        let result = try await bed.sale("20.00")
        #expect(result.response.outcome == .failed)
        #expect(result.response.statusInfo == .reversed)
        #expect(Self.code(result) == .diskFull)
        #expect(result.failure?.sentence.contains("no room is left") == true)
        let record = try await bed.ledger.transaction(result.response.transactionID)
        #expect(record.state == PaymentState.reversed.name)
        #expect(record.responseCode == "00" && record.authorisation?.utf8.count == 6)
        let journal = try await bed.ledger.journal(of: record.id).suffix(3)
        #expect(journal.map(\.to.rawValue) == ["authorizing", "unknown", "reversed"])
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("a disk that stays full is named, and the money goes back all the same")
    func full() async throws {
        let bed = try await PaymentBed(events: GatewayEvents(afterAuthorisation: Self.fill))
        let result = try await bed.sale("20.00")
        #expect(result.response.outcome == .failed)
        #expect(result.response.statusInfo == .reversed)
        #expect(Self.code(result) == .diskFull)
        #expect(try await bed.state(result.response.transactionID) == "authorizing")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("the reversal's own record is written at the second try")
    func secondTry() async throws {
        let wall = SettableWallClock(PaymentBed.noon)
        let path = Mutex("")
        // Each attempt to write reads the clock: the file is away for the first one only.
        let events = GatewayEvents(afterReversal: { _ in
            let file = path.withLock { $0 }
            wall.onNextReadings([
                { #expect(rename(file, file + ".away") == 0) }, { #expect(rename(file + ".away", file) == 0) },
            ])
        })
        let bed = try await PaymentBed(card: "declines-second", events: events, wall: wall)
        path.withLock { $0 = bed.directory.path + "/ledger.sqlite" }
        let result = try await bed.sale("20.00")
        #expect(result.response.statusInfo == .reversed)
        #expect(Self.code(result) == .notWritable)
        #expect(try await bed.state(result.response.transactionID) == "reversed")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("a receipt that is not in the ledger has no url; the approval stands")
    func noReceipt() async throws {
        let bed = try await PaymentBed(
            random: CountingRandom(), events: GatewayEvents(afterRefund: Self.fill))
        let sale = try await bed.approvedSale("250.00")
        let result = try await bed.refund(sale, "100.00")
        #expect(result.response.outcome == .approved)
        #expect(Self.code(result) == .diskFull)
        #expect(result.response.url.isEmpty)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 150_00)
    }
}
