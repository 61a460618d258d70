import Ledger
import Payments
import Testing

/// A sale without the host, and its way to the host, ended by SIGKILL at every named place.
@Suite(.blackBox) struct OfflineCrashTests {
    static let sales: [CrashPoint] = [.noAnswerReceived, .offlineRoomReserved, .offlineCardApproved, .outcomeRecorded]
    static let forwards: [CrashPoint] = [.forwardBegun, .forwardAnswered, .forwardRecorded]

    private static let offline = ["--offline", "yes"]
    private static let lineDown = offline + ["--line", "down"]

    private func sell(
        _ bed: CrashBench, at point: CrashPoint? = nil, identifier: String = "order 7"
    ) async throws -> Ended {
        try await bed.sale("123.45", card: "visa-offline", at: point, identifier: identifier, Self.lineDown)
    }

    @Test("a sale: what was promised is forwarded, what was not is nothing", arguments: sales)
    func sale(point: CrashPoint) async throws {
        let bed = try CrashBench()
        let killed = try await sell(bed, at: point)
        #expect(killed.status == 128 + 9, "\(point) is not reached: \(killed)")
        try await bed.recover(Self.offline)
        try await bed.checkTotals()
        let host = try await Books(data: Workbench.mine().data).host()
        #expect(host == (point == .outcomeRecorded ? 123_45 : 0))
        let stored = try await Ledger.openReadOnly(directory: Workbench.mine().data)
        #expect(try await stored.storedTotal().count == 0)
        await stored.close()
        try await bed.checkRepetition("123.45")
    }

    @Test("room that a killed sale held is free when it is resolved")
    func room() async throws {
        let bed = try CrashBench()
        for number in 0..<5 {
            #expect(try await sell(bed, at: .offlineRoomReserved, identifier: "killed \(number)").status == 128 + 9)
        }
        #expect(try await sell(bed, identifier: "no room").text("outcome") == "failed")
        try await bed.recover(Self.offline)
        #expect(try await sell(bed, identifier: "room").text("outcome") == "approved")
    }

    @Test("a void of what is stored", arguments: [true, false])
    func void(isSent: Bool) async throws {
        let bed = try CrashBench()
        let sale = try await sell(bed).text("transactionid")
        if isSent { try await bed.recover(at: .forwardAnswered, Self.offline) }
        let point = isSent ? CrashPoint.voidAnswered : .storedSaleDropped
        #expect(try await bed.void(sale, at: point, Self.offline).status == 128 + 9)
        try await bed.recover(Self.offline)
        try await bed.checkTotals()
        #expect(try await bed.state(of: sale) == "voided")
        #expect(try await Books(data: Workbench.mine().data).host() == 0)
    }

    @Test("seventeen sales, each forwarded by programs that are killed three times: the host books each once")
    func forwarded() async throws {
        let bed = try CrashBench()
        for number in 0..<17 {
            #expect(try await sell(bed, identifier: "order \(number)").text("outcome") == "approved")
            for point in Self.forwards { try await bed.recover(at: point, Self.offline) }
        }
        try await bed.checkTotals()
        #expect(try await Books(data: Workbench.mine().data).host() == 17 * 123_45)
        let ledger = try await Ledger.openReadOnly(directory: Workbench.mine().data)
        #expect(try await ledger.offlineSales(.forwarded).count == 17)
        #expect(try await ledger.storedTotal().count == 0)
        await ledger.close()
    }
}
