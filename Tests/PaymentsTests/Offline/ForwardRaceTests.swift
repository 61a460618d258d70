import Ledger
import Payments
import Synchronization
import Testing
import Transport

/// Programs that forward, void and refund the same stored sale at the same moment.
@Suite struct ForwardRaceTests {
    @Test(
        "forwarding and voiding at once: the sale is in both books or in neither, and nothing stays stored",
        arguments: [false, true])
    func forwardAgainstVoid(losesAdvices: Bool) async throws {
        for _ in 0..<6 {
            let kiosk = try await OfflineBed()
            let id = try await kiosk.storedSale("100.00")
            kiosk.restore()
            kiosk.line.losesAdvices.store(losesAdvices, ordering: .relaxed)
            let others = try (0..<8).map { _ in try kiosk.otherProgram() }
            await withTaskGroup(of: Void.self) { group in
                for (number, other) in others.enumerated() {
                    group.addTask {
                        if number.isMultiple(of: 2) {
                            _ = await other.void(id)
                        } else {
                            _ = try? await Recovery(other).run(
                                number % 4 == 1 ? .due : .all, until: .after(.seconds(600), on: kiosk.bed.clock))
                        }
                    }
                }
            }
            kiosk.line.losesAdvices.store(false, ordering: .relaxed)
            kiosk.bed.wall.move(seconds: 900)
            try await kiosk.recover()
            let record = try await kiosk.record(id)
            let isVoided = record.state == "voided"
            #expect(isVoided || (record.state == "approved" && record.offline == .forwarded), "\(record)")
            #expect(kiosk.booked == (isVoided ? 0 : 100_00))
            #expect(try await kiosk.held().count == 0)
            #expect(record.resolveAt == nil)
            #expect(try await kiosk.recover().isEmpty)
        }
    }

    @Test("forwarding and refunding at once: each moves the money once")
    func forwardAgainstRefund() async throws {
        for _ in 0..<6 {
            let kiosk = try await OfflineBed()
            let id = try await kiosk.storedSale("100.00")
            kiosk.restore()
            let others = try (0..<6).map { _ in try kiosk.otherProgram() }
            await withTaskGroup(of: Void.self) { group in
                for (number, other) in others.enumerated() {
                    group.addTask {
                        if number.isMultiple(of: 2) {
                            let request = try? RefundRequest(transactionID: id, details: RequestDetails())
                            if let request { _ = await other.refund(request) }
                        } else {
                            _ = try? await Recovery(other).run(
                                .all, until: .after(.seconds(600), on: kiosk.bed.clock))
                        }
                    }
                }
            }
            try await kiosk.recover()
            let refunds = try await kiosk.bed.ledger.refunds(of: id).filter { $0.state == "approved" }
            #expect(refunds.count <= 1)
            #expect(kiosk.booked == (refunds.isEmpty ? 100_00 : 0))
            #expect(try await kiosk.record(id).state == (refunds.isEmpty ? "approved" : "refunded"))
            #expect(kiosk.advices == 1)
        }
    }
}
