import Gateways
import Ledger
import Money
import SeededInput
import Synchronization
import Testing

@testable import Payments

/// Days of random payments and settlements. After each step the batches and what is open are together what the ledger
/// holds, and nothing is in two batches; at the end of the day that is what the host has booked.
@Suite struct SettlementPropertyTests {
    /// What a day is made of.
    private enum Step: CaseIterable {
        case sale, tippedSale, declinedSale, unknownSale, partRefund, fullRefund, unknownRefund, void, recover
        case settle, force, lostBefore, lostAfter, plant
    }

    /// What happens to the host's next answer about a batch.
    private enum Loss: Int {
        case none, before, after
    }

    @Test("sums of batches and of what is open are those of ledger and host", arguments: UInt64(1)...8)
    func day(seed: UInt64) async throws {
        let loss = Atomic(Loss.none.rawValue)
        var events = GatewayEvents()
        events.isDown = { loss.load(ordering: .relaxed) == Loss.before.rawValue }
        events.afterSettlement = { _ in
            loss.load(ordering: .relaxed) == Loss.after.rawValue ? .noAnswer(reason: "the line broke") : nil
        }
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        var numbers = SeededNumbers(seed: seed)
        var day = Day(bed: bed)
        for _ in 0..<60 {
            let step = Step.allCases.randomElement(using: &numbers) ?? .sale
            switch step {
            case .lostBefore, .lostAfter:
                let lost: Loss = step == .lostBefore ? .before : .after
                loss.store(lost.rawValue, ordering: .relaxed)
                _ = await bed.pipeline.settle(force: Bool.random(using: &numbers))
                loss.store(Loss.none.rawValue, ordering: .relaxed)
            case .settle: _ = try await bed.otherProgram().settle()
            case .force: _ = await bed.pipeline.settle(force: true)
            case .plant: try await day.plant(&numbers)
            case .recover: try await bed.recover()
            case .sale, .tippedSale, .declinedSale, .unknownSale: try await day.sale(step, &numbers)
            case .partRefund, .fullRefund, .unknownRefund, .void: try await day.giveBack(step, &numbers)
            }
            try await day.checkLedger()
        }
        try await bed.recover()
        let outcomes = await bed.pipeline.settle(force: true)
        #expect(
            outcomes.allSatisfy { if case .closed = $0 { true } else if case .nothing = $0 { true } else { false } })
        try await day.checkLedger()
        try await day.checkHost()
    }

    /// The bed, and what only the test knows.
    private struct Day {
        let bed: PaymentBed
        var sales: [String] = []
        var planted: Int64 = 0
        var plantedCount = 0

        private static let sold: Set<PaymentState> = [.approved, .partiallyRefunded, .refunded, .settled]
        private static let returned: Set<PaymentState> = [.approved, .settled]

        mutating func sale(_ step: Step, _ numbers: inout SeededNumbers) async throws {
            let amount =
                switch step {
                case .declinedSale: "50.00"
                case .unknownSale: "190.00"
                default: "\(Int.random(in: 200...900, using: &numbers)).\(Int.random(in: 10...99, using: &numbers))"
                }
            let tip = step == .tippedSale ? "\(Int.random(in: 1...9, using: &numbers)).50" : nil
            sales.append(try await bed.sale(amount, tip: tip).response.transactionID)
        }

        mutating func giveBack(_ step: Step, _ numbers: inout SeededNumbers) async throws {
            guard let sale = sales.randomElement(using: &numbers) else { return }
            bed.wall.move(seconds: 60)
            switch step {
            case .void: _ = await bed.pipeline.void(sale)
            case .fullRefund: _ = try await bed.refund(sale)
            case .unknownRefund: _ = try await bed.refund(sale, "191.00")
            default: _ = try await bed.refund(sale, "\(Int.random(in: 1...40, using: &numbers)).25")
            }
        }

        mutating func plant(_ numbers: inout SeededNumbers) async throws {
            plantedCount += 1
            let cents = Int.random(in: 10...99, using: &numbers)
            planted += Int64(300 + cents)
            try await bed.plant("3.\(cents)", attempt: "planted\(plantedCount)")
        }

        /// What the ledger says has moved, by its rows alone.
        private func moved(_ records: [TransactionRecord]) -> Int64 {
            records.reduce(0) { total, record in
                guard let state = PaymentState(record.state) else { return total }
                switch record.kind {
                case .sale: return total + (Self.sold.contains(state) ? record.amount + record.tip : 0)
                case .refund: return total - (Self.returned.contains(state) ? record.amount : 0)
                }
            }
        }

        func checkLedger() async throws {
            let records = try await bed.ledger.transactions(limit: Ledger.largestAnswer)
            let batches = try await bed.ledger.batches()
            let held = batches.filter { $0.state != .differs }
            let open = BatchSums(try await bed.ledger.openTotals(currency: 484, rule: .payments))
            let owed = records.filter(Recovery.owesVoid).reduce(Int64(0)) { $0 + $1.amount + $1.tip }
            #expect(held.reduce(0) { $0 + $1.sums.net } + open.net + owed == moved(records))
            // The totals that were stored are those of the rows that are in the batch, each in one.
            for batch in held {
                let members = records.filter { $0.batch == batch.number }
                #expect(moved(members) == batch.sums.net)
                #expect(members.count == batch.sums.sales + batch.sums.refunds)
            }
            let known = Set(held.map(\.number))
            #expect(records.allSatisfy { $0.batch.map(known.contains) ?? true })
            #expect(batches.map(\.number) == batches.indices.reversed().map { Int64($0 + 1) })
            for record in records where record.state == PaymentState.settled.name { #expect(record.batch != nil) }
        }

        /// Nothing is left open: the host has what the ledger has, and what was planted.
        func checkHost() async throws {
            let records = try await bed.ledger.transactions(limit: Ledger.largestAnswer)
            #expect(bed.issuers.bookedTotal(in: .mxn) == moved(records) + planted)
            let batches = try await bed.ledger.batches().filter { $0.state == .closed }
            #expect(batches.reduce(0) { $0 + $1.sums.net } == moved(records))
            for batch in batches where batch.hostAnswer == .agreed { #expect(batch.hostTotals == batch.sums) }
            let earlier = try await bed.ledger.batchDifference(currency: 484)
            #expect(earlier.net == batches.reduce(0) { $0 + ($1.hostTotals?.net ?? 0) - $1.sums.net })
        }
    }
}
