import EMV
import Foundation
import Gateways
import Ledger
import Money
import Payments
import Testing
import Transport

/// Runs `crashbed` and compares what ledger and host have in their books.
struct CrashBench {
    /// 2 March 2026, 12:00 in Mexico City.
    private static let noon: Int64 = 1_772_474_400_000

    private let data: String

    init() throws {
        data = try Workbench.mine().data
    }

    func run(_ arguments: [String], at time: Int64 = noon) async throws -> Ended {
        try await BlackBoxTests.run(
            Program(
                Prerequisites.product("crashbed"),
                [arguments[0], "--data", data, "--time", String(time)] + arguments.dropFirst()))
    }

    func sale(
        _ amount: String, card: String?, at point: CrashPoint? = nil, identifier: String = "order 7",
        partial: PartialApprovalRule = .reverse, _ more: [String] = []
    ) async throws -> Ended {
        var arguments =
            ["sale", "--amount", amount, "--identifier", identifier, "--partial", partial.rawValue] + more
        if let card { arguments += ["--card", card] }
        if let point { arguments += ["--at", point.rawValue] }
        return try await run(arguments)
    }

    /// A minute after the sale.
    func refund(
        _ amount: String, of sale: String, at point: CrashPoint? = nil, identifier: String = "refund 7",
        _ more: [String] = []
    ) async throws -> Ended {
        var arguments =
            ["refund", "--amount", amount, "--identifier", identifier, "--transaction-id", sale] + more
        if let point { arguments += ["--at", point.rawValue] }
        return try await run(arguments, at: Self.noon + 60_000)
    }

    func void(_ sale: String, at point: CrashPoint, _ more: [String] = []) async throws -> Ended {
        try await run(["void", "--transaction-id", sale, "--at", point.rawValue] + more, at: Self.noon + 60_000)
    }

    func settle(force: Bool = false, at point: CrashPoint? = nil) async throws -> Ended {
        var arguments = ["settle"]
        if force { arguments += ["--force", "yes"] }
        if let point { arguments += ["--at", point.rawValue] }
        return try await run(arguments, at: Self.noon + 120_000)
    }

    /// A sale of this kiosk that only the host knows.
    func plant(_ minorUnits: Int64) async throws {
        var options = IssuerSimulator.Options()
        options.bookPath = data + "/simulated-host"
        let clock = VirtualClock()
        let terminal = TerminalConfiguration.mexicanKiosk
        let amount = try #require(Amount(minorUnits: minorUnits, currency: .mxn))
        let request = AuthorisationRequest(
            attempt: try #require(AttemptID("planted")), amount: amount, tip: .zero(.mxn),
            pan: try #require(PAN(digits: "4761739001010119".utf8.map { $0 - 0x30 })), panSequenceNumber: nil,
            expiry: try #require(CardExpiry(year: 2031, month: 12)), entryMode: .magneticStripe, chipData: [],
            terminal: TerminalIdentity(
                terminalID: terminal.terminalIdentification, merchantID: terminal.merchantIdentifier,
                country: terminal.countryCode),
            moment: try #require(LocalDateTime(date: [0x26, 0x03, 0x02], time: [0x12, 0x00, 0x00])))
        let host = try IssuerSimulator(clock: clock, options: options)
        _ = try await host.authorise(request, until: .after(.seconds(60), on: clock))
    }

    /// The batches, the oldest first.
    func batches() async throws -> [BatchRecord] {
        let ledger = try await Ledger.openReadOnly(directory: data)
        let batches = try await ledger.batches()
        await ledger.close()
        return batches.reversed()
    }

    func state(of id: String) async throws -> String {
        let ledger = try await Ledger.openReadOnly(directory: data)
        let state = try await ledger.transaction(id).state.rawValue
        await ledger.close()
        return state
    }

    /// - Parameter point: where it is ended; nil: it goes to its end.
    func recover(at point: CrashPoint? = nil, _ more: [String] = []) async throws {
        let ended = try await run(["recover"] + (point.map { ["--at", $0.rawValue] } ?? []) + more)
        if let point { return #expect(ended.status == 128 + 9, "\(point) is not reached: \(ended)") }
        #expect(ended.status == 0, "\(ended)")
    }

    func runningFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: data + "/running")
    }

    /// The same request gets the stored answer, without a reader, and moves nothing.
    func checkRepetition(_ amount: String) async throws {
        let first = try await sale(amount, card: nil)
        #expect(first.status == 0, "\(first)")
        #expect(try !first.text("transactionid").isEmpty)
        #expect(try await sale(amount, card: nil).output == first.output)
        try await checkTotals()
        let ledger = try await Ledger.openReadOnly(directory: data)
        #expect(try await ledger.transactions().count == 1)
        await ledger.close()
    }

    func checkTotals() async throws {
        try await Books(data: data).check()
    }
}

/// The books of a data directory: what the merchant thinks, and what the host thinks.
struct Books {
    let data: String

    /// States that a payment ends in for the first time.
    private static let ends = Set(
        [PaymentState.approved, .declined, .cancelled, .expired, .failed, .reversed].map(\.name))

    /// Nothing is open, every payment has one end, and the totals agree to the cent.
    func check(_ location: SourceLocation = #_sourceLocation) async throws {
        let ledger = try await Ledger.openReadOnly(directory: data)
        var total: Int64 = 0
        let records = try await ledger.transactions(limit: Ledger.largestAnswer)
        for record in records {
            #expect(
                !Recovery.openStates.contains(record.state) && record.resolveAt == nil, "\(record)",
                sourceLocation: location)
            let journal = try await ledger.journal(of: record.id)
            let ends = journal.filter { Self.ends.contains($0.to) && $0.from != $0.to }
            #expect(ends.count == 1, "\(journal)", sourceLocation: location)
            guard ends.first?.to == PaymentState.approved.name, record.state != PaymentState.voided.name else {
                continue
            }
            total += (record.amount + record.tip) * (record.kind == .sale ? 1 : -1)
        }
        await ledger.close()
        #expect(try await host() == total, sourceLocation: location)
    }

    /// What the host has booked for the merchant, in cents.
    func host() async throws -> Int64 {
        var options = IssuerSimulator.Options()
        options.bookPath = data + "/simulated-host"
        let clock = VirtualClock()
        let simulator = try IssuerSimulator(clock: clock, options: options)
        let anything = try #require(AttemptID("none"))
        // It reads its book when it is asked something.
        _ = try await simulator.status(of: anything, until: .after(.seconds(60), on: clock))
        return simulator.bookedTotal(in: .mxn)
    }
}
