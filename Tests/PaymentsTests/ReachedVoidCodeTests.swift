import Gateways
import Ledger
import Synchronization
import Testing

@testable import Payments

/// Every answer to a void, by what brings it about. A new code needs a scenario here.
@Suite struct ReachedVoidCodeTests {
    @Test("every code is reached", arguments: VoidResult.Code.allCases)
    func reached(code: VoidResult.Code) async throws {
        #expect(try await Self.result(code).code == code)
    }

    private static func result(_ code: VoidResult.Code) async throws -> VoidResult {
        let isDown = Atomic(false)
        var events = GatewayEvents(isDown: { isDown.load(ordering: .relaxed) })
        if code == .hostRefused { events.answerToVoids = { .refused(.systemError) } }
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        switch code {
        case .voided, .hostRefused: return await bed.pipeline.void(try await bed.approvedSale("100.00"))
        case .alreadyVoided:
            let sale = try await bed.approvedSale("100.00")
            _ = await bed.pipeline.void(sale)
            return await bed.pipeline.void(sale)
        case .notFound: return await bed.pipeline.void("01M8N3RZ22PMK8CYZ1BD9NJRBF")
        case .notApproved: return await bed.pipeline.void(try await bed.sale("50.00").response.transactionID)
        case .partlyRefunded:
            let sale = try await bed.approvedSale("100.00")
            _ = try await bed.refund(sale, "40.00")
            return await bed.pipeline.void(sale)
        case .unknown:
            let sale = try await bed.approvedSale("100.00")
            isDown.store(true, ordering: .relaxed)
            return await bed.pipeline.void(sale)
        case .settled:
            let sale = try await bed.approvedSale("100.00")
            _ = await bed.pipeline.settle()
            return await bed.pipeline.void(sale)
        case .otherDay:
            let sale = try await bed.approvedSale("100.00")
            bed.wall.move(seconds: 24 * 3600)
            return await bed.pipeline.void(sale)
        case .noAttempt:
            // Ids of this product are identities that a host can take; a row of another program's need not be.
            try await bed.ledger.begin(
                NewTransaction(id: "not ours", state: PaymentState.approved.name, amount: 5_00, tip: 0, currency: 484),
                at: PaymentBed.noon)
            return await bed.pipeline.void("not ours")
        case .refusedOffline:
            let kiosk = try await OfflineBed()
            // The table of test amounts: the host answers 05.
            let sale = try await kiosk.storedSale("50.00")
            kiosk.restore()
            try await kiosk.recover()
            return await kiosk.pipeline.void(sale)
        case .underWay:
            let sale = try await bed.approvedSale("100.00")
            let other = try bed.otherProgram()
            let permit = other.owner.directory.work(on: sale)
            let result = await bed.pipeline.void(sale)
            permit?.release()
            other.owner.end()
            return result
        case .storageFailed:
            let sale = try await bed.approvedSale("100.00")
            await bed.ledger.close()
            return await bed.pipeline.void(sale)
        }
    }
}
