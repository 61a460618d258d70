import Gateways
import Ledger
import Synchronization
import Testing

@testable import Payments

/// Every result of a settlement, by what brings it about. A new code needs a scenario here.
@Suite struct ReachedSettlementCodeTests {
    @Test("every code is reached", arguments: SettlementOutcome.Code.allCases)
    func reached(code: SettlementOutcome.Code) async throws {
        #expect(try await Self.outcomes(code).map(\.code) == [code])
    }

    private static func outcomes(_ code: SettlementOutcome.Code) async throws -> [SettlementOutcome] {
        let isDown = Atomic(false)
        let planted = Atomic(0)
        let planting = Mutex<PaymentBed?>(nil)
        var events = GatewayEvents(isDown: { isDown.load(ordering: .relaxed) })
        events.beforeSettlement = { _, _ in
            let number = planted.add(1, ordering: .relaxed).newValue
            _ = try? await planting.withLock { $0 }?.plant("1.00", attempt: "planted\(number)")
        }
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        if code != .nothing { _ = try await bed.approvedSale("100.00") }
        switch code {
        case .closed, .nothing: break
        case .blocked: _ = try await bed.sale("190.00")
        case .differs: try await bed.plant("7.00", attempt: "planted")
        case .moving: planting.withLock { $0 = bed }
        case .noAnswer: isDown.store(true, ordering: .relaxed)
        case .underWay:
            let other = try bed.otherProgram()
            let permit = other.owner.directory.work(on: "settlement")
            let outcomes = await bed.pipeline.settle()
            permit?.release()
            other.owner.end()
            return outcomes
        case .storageFailed: await bed.ledger.close()
        }
        let outcomes = await bed.pipeline.settle()
        planting.withLock { $0 = nil }
        return outcomes
    }
}
