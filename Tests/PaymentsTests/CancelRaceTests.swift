import Gateways
import InProcessMock
import Ledger
import Money
import Payments
import Synchronization
import Testing

/// A cancel at any moment leaves one true outcome: no money and "cancelled", or the issuer's word.
@Suite(.serialized) struct CancelRaceTests {
    @Test(
        "a cancel together with each word to the person",
        arguments: PaymentProgress.ofInsertedCards, ["", "order 7"])
    func progress(step: PaymentProgress, identifier: String) async throws {
        let bed = try await PaymentBed()
        let details = try RequestDetails(identifier: identifier)
        let payment = Payment()
        let result = try await payment.run {
            try await bed.sale("20.00", details: details) { told in
                if told == step { payment.cancel() }
            }
        }
        try await Self.check(result, bed)
        #expect(result.response.outcome == (step == .insertCard || step == .doNotRemoveCard ? .cancelled : .approved))
    }

    @Test("a cancel at any command to the card, and while the issuer answers", arguments: 0..<40)
    func anywhere(turn: Int) async throws {
        let payment = Payment()
        let bed = try await PaymentBed(
            events: GatewayEvents(afterAuthorisation: { _ in if turn == 0 { payment.cancel() } }))
        let seen = Mutex(0)
        bed.device.onTransfer { _ in
            let count = seen.withLock { seen in
                seen += 1
                return seen
            }
            if count == turn * 2 { payment.cancel() }
            return .pass
        }
        try await Self.check(payment.run { try await bed.sale("20.00") }, bed)
    }

    /// A payment in a task of its own, which can be cancelled from anywhere.
    private static func check(_ result: PaymentResult, _ bed: PaymentBed) async throws {
        let booked = bed.issuers.bookedTotal(in: .mxn)
        if result.response.transactionID.isEmpty { return #expect(booked == 0) }
        let state = try await bed.state(result.response.transactionID)
        switch result.response.outcome {
        case .approved: #expect(state == "approved" && booked == 20_00)
        case .cancelled: #expect(state == "cancelled" && booked == 0)
        case .failed: #expect(state == "reversed" && booked == 0)
        default: Issue.record("\(result.response.outcome)")
        }
        let ends = try await bed.ledger.journal(of: result.response.transactionID)
            .filter { PaymentState($0.to)?.outcome != nil && $0.to != "unknown" }
        #expect(ends.count == 1)
    }
}
