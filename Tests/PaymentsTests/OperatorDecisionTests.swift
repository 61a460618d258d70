import Ledger
import Money
import Payments
import Synchronization
import Testing
import Transport

/// Persons who decide about one payment at the same moment, and recovery beside them.
@Suite struct OperatorDecisionTests {
    /// A sale that the host has booked and that waits for a person.
    private static func waitingSale(_ bed: PaymentBed) async throws -> String {
        let id = try await bed.sale("190.00").response.transactionID
        try await bed.ledger.advance(id, from: ["unknown"], to: "manualReview", at: PaymentBed.noon, recovery: .none)
        return id
    }

    @Test("of several that decide at the same moment one does; the others hear what it is now")
    func once() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let others = try (0..<8).map { _ in try bed.otherProgram() }
        for _ in 0..<10 {
            let id = try await Self.waitingSale(bed)
            let results: [Result<Resolution, OperatorDecisionError>] = await withTaskGroup(
                of: Result<Resolution, OperatorDecisionError>?.self
            ) { group in
                for (number, other) in others.enumerated() {
                    let decision = OperatorDecision.allCases[number % 3]
                    group.addTask {
                        do throws(OperatorDecisionError) {
                            return .success(try await Recovery(other).decide(id, as: decision))
                        } catch {
                            return .failure(error)
                        }
                    }
                    // A recovery timer at the same moment.
                    group.addTask {
                        _ = try? await Recovery(other).run(.due, until: .after(.seconds(600), on: bed.clock))
                        return nil
                    }
                }
                return await group.reduce(into: []) { all, next in if let next { all.append(next) } }
            }
            let decided = results.compactMap { try? $0.get().record.state }
            try #require(decided.count == 1)
            let refused = results.compactMap { result -> TransactionRecord? in
                if case .failure(.notInReview(let record)) = result { record } else { nil }
            }
            #expect(refused.count == others.count - 1)
            #expect(refused.allSatisfy { $0.id == id && $0.state == decided[0] })
            let ends = try await bed.ledger.journal(of: id).filter { $0.detail?.hasPrefix("operator: ") == true }
            #expect(ends.map(\.to) == decided)
            #expect(try await bed.ledger.transaction(id).resolveAt == nil)
        }
        #expect(bed.gateway.reversals.isEmpty && bed.gateway.statusQuestions == 0, "nothing is sent")
    }

    @Test("a refund whose sale allows none any more is not approved, and the person hears why")
    func saleIsVoided() async throws {
        let isDown = Atomic(false)
        let events = GatewayEvents(isDown: { isDown.load(ordering: .relaxed) })
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        let sale = try await bed.approvedSale("100.00")
        isDown.store(true, ordering: .relaxed)
        #expect(try await bed.refund(sale, "40.00").response.outcome == .unknown)
        let refund = try #require(try await bed.ledger.refunds(of: sale).first?.id)
        try await bed.ledger.advance(
            refund, from: ["unknown"], to: "manualReview", at: PaymentBed.noon, recovery: .none)
        // As if it had been voided at the acquirer's counter.
        try await bed.ledger.advance(sale, from: ["approved"], to: "voided", at: PaymentBed.noon)
        let error = await #expect(throws: OperatorDecisionError.self) {
            try await Recovery(bed.pipeline).decide(refund, as: .approved)
        }
        guard case .saleAllowsNoRefund(let found) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found.id == sale && found.state == "voided")
        #expect(try await bed.state(refund) == "manualReview")
        #expect(try await Recovery(bed.pipeline).decide(refund, as: .declined).record.state == "declined")
    }
}
