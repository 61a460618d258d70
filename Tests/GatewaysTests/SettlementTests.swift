import Foundation
import Gateways
import Money
import Testing
import Transport

/// Batches in the simulated host's book.
@Suite struct SettlementTests {
    private static func totals(
        sales: (Int, Int64) = (0, 0), reversedSales: (Int, Int64) = (0, 0), refunds: (Int, Int64) = (0, 0),
        reversedRefunds: (Int, Int64) = (0, 0)
    ) -> BatchTotals {
        func tally(_ pair: (Int, Int64)) -> BatchTotals.Tally {
            BatchTotals.Tally(count: pair.0, minorUnits: pair.1)
        }
        return BatchTotals(
            currency: .mxn, sales: tally(sales), reversedSales: tally(reversedSales), refunds: tally(refunds),
            reversedRefunds: tally(reversedRefunds))
    }

    private static func request(
        _ batch: Int64, _ totals: BatchTotals, terminal: String = "KIOSK001", anyway: Bool = false
    ) -> SettlementRequest {
        SettlementRequest(
            batch: batch,
            terminal: TerminalIdentity(terminalID: terminal, merchantID: "MERCHANT0000001", country: 484),
            totals: totals, closesAnyway: anyway)
    }

    /// Two sales of 20.00 and 30.00, a refund of 5.00, and a sale that was taken back.
    private static func trade(with host: SimulatedHost) async throws {
        _ = try await host.gateway.authorise(SampleRequest.stripe("20.00"), until: host.soon)
        _ = try await host.gateway.authorise(SampleRequest.stripe("30.00", attempt: "a-2"), until: host.soon)
        _ = try await host.gateway.authorise(SampleRequest.stripe("7.00", attempt: "a-3"), until: host.soon)
        _ = try await host.gateway.refund(SampleRequest.refund("5.00", of: "a-1"), until: host.soon)
        _ = try await host.gateway.reverse(SampleRequest.reversal("7.00", of: "a-3"), until: host.soon)
    }

    private static let ours = totals(sales: (2, 50_00), refunds: (1, 5_00))
    private static let theirs = totals(sales: (3, 57_00), reversedSales: (1, 7_00), refunds: (1, 5_00))

    @Test("what was taken back counts for nothing, and the same batch again gets the same answer")
    func agreed() async throws {
        let host = try SimulatedHost()
        try await Self.trade(with: host)
        let request = Self.request(1, Self.ours)
        #expect(try await host.gateway.settle(request, until: host.soon) == .agreed(Self.theirs))
        _ = try await host.gateway.authorise(SampleRequest.stripe("9.00", attempt: "a-4"), until: host.soon)
        #expect(try await host.gateway.settle(request, until: host.soon) == .agreed(Self.theirs))
        let next = Self.request(2, Self.totals(sales: (1, 9_00)))
        #expect(
            try await host.gateway.settle(next, until: host.soon) == .agreed(Self.totals(sales: (1, 9_00))))
    }

    @Test(
        "a count or a sum that is another one is told, and the batch stays open",
        arguments: [
            totals(sales: (1, 50_00), refunds: (1, 5_00)), totals(sales: (2, 50_01), refunds: (1, 5_00)),
            totals(sales: (2, 50_00)), totals(sales: (2, 50_00), refunds: (1, 4_99)), totals(sales: (1, 45_00)),
        ])
    func differs(totals: BatchTotals) async throws {
        let host = try SimulatedHost()
        try await Self.trade(with: host)
        let wrong = Self.request(1, totals)
        #expect(try await host.gateway.settle(wrong, until: host.soon) == .differs(Self.theirs, isClosed: false))
        #expect(
            try await host.gateway.settle(Self.request(1, Self.ours), until: host.soon) == .agreed(Self.theirs))
    }

    @Test("a batch that is closed anyway is over: its number has that answer, and the next one begins afresh")
    func anyway() async throws {
        let host = try SimulatedHost()
        try await Self.trade(with: host)
        let wrong = Self.totals(sales: (1, 20_00))
        let closed = SettlementResponse.differs(Self.theirs, isClosed: true)
        #expect(try await host.gateway.settle(Self.request(1, wrong, anyway: true), until: host.soon) == closed)
        #expect(try await host.gateway.settle(Self.request(1, wrong), until: host.soon) == closed)
        #expect(
            try await host.gateway.settle(Self.request(2, Self.totals()), until: host.soon)
                == .agreed(Self.totals()))
    }

    @Test("a reversal of an earlier batch's sale takes it from the present one")
    func late() async throws {
        let host = try SimulatedHost()
        try await Self.trade(with: host)
        _ = try await host.gateway.settle(Self.request(1, Self.ours), until: host.soon)
        _ = try await host.gateway.reverse(SampleRequest.reversal("30.00", of: "a-2"), until: host.soon)
        #expect(
            try await host.gateway.settle(Self.request(2, Self.totals()), until: host.soon)
                == .differs(Self.totals(reversedSales: (1, 30_00)), isClosed: false))
    }

    @Test("terminals have batches of their own")
    func terminals() async throws {
        let host = try SimulatedHost()
        try await Self.trade(with: host)
        let other = Self.request(1, Self.totals(), terminal: "KIOSK002")
        #expect(try await host.gateway.settle(other, until: host.soon) == .agreed(Self.totals()))
        #expect(
            try await host.gateway.settle(Self.request(1, Self.ours), until: host.soon) == .agreed(Self.theirs))
    }

    @Test("the book on disk keeps batches, and reads lines that do not tell the terminal")
    func stored() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("book-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var options = IssuerSimulator.Options()
        options.bookPath = path
        let first = try SimulatedHost(options)
        try await Self.trade(with: first)
        var text = try String(contentsOfFile: path, encoding: .utf8)
        // As an earlier version has written it: fourteen fields.
        text = text.split(separator: "\n").map { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            return fields[0] == "answered" ? fields.prefix(14).joined(separator: " ") : String(line)
        }.map { $0 + "\n" }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let second = try SimulatedHost(options)
        #expect(
            try await second.gateway.settle(Self.request(1, Self.ours), until: second.soon)
                == .agreed(Self.theirs))
        let third = try SimulatedHost(options)
        #expect(
            try await third.gateway.settle(Self.request(1, Self.ours), until: third.soon) == .agreed(Self.theirs))
        #expect(
            try await third.gateway.settle(Self.request(2, Self.totals()), until: third.soon)
                == .agreed(Self.totals()))
    }

    @Test("what cannot be sent is refused here", arguments: [0, -1, 1_000_000])
    func numbers(batch: Int64) async throws {
        let host = try SimulatedHost()
        await #expect(throws: GatewayError.badRequest(reason: "the batch's number is not 1 to 999999")) {
            try await host.gateway.settle(Self.request(batch, Self.ours), until: host.soon)
        }
        await #expect(throws: GatewayError.badRequest(reason: "a total is negative")) {
            try await host.gateway.settle(Self.request(1, Self.totals(sales: (-1, 0))), until: host.soon)
        }
    }
}
