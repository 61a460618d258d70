import Gateways
import Ledger
import Money
import Testing
import Transport

@testable import Payments

/// One sale of the matrix, and whether what it says agrees with what happened.
struct MatrixRun {
    let bench: MatrixBench
    let result: PaymentResult
    /// What was done to it, for the failure message.
    let what: Comment
    let duration: Duration

    /// Runs a sale under a fault at its n-th command, counted from 1.
    static func sale(on bench: MatrixBench, fault: String, at frame: Int) async throws -> MatrixRun {
        bench.steer("fault \(frame) \(fault)")
        let start = bench.clock.now()
        let result = try await bench.sale()
        return MatrixRun(
            bench: bench, result: result, what: "\(fault) at frame \(frame)",
            duration: start.duration(to: bench.clock.now()))
    }

    /// Nil when nothing was recorded.
    var id: String? { result.response.transactionID.isEmpty ? nil : result.response.transactionID }

    /// Whether the issuer was asked in this sale.
    var reachedIssuer: Bool { bench.issuer.decisions.contains { $0.attempt.text == id } }

    /// Checks what must hold after every sale, whatever went wrong. Answers the state of the ledger, nil without record.
    @discardableResult
    func check() async throws -> PaymentState? {
        #expect(!bench.hasTransfersInFlight, what)
        try await bench.ledger.checkIntegrity()
        let approved = try await bench.ledger.totals(states: [PaymentState.approved.name])
        #expect(approved.reduce(Int64(0)) { $0 + $1.amount + $1.tip } == bench.issuer.bookedTotal(in: .mxn), what)
        guard let id else {
            #expect([.failed, .cancelled].contains(result.response.outcome), what)
            #expect(result.failure != nil, what)
            return nil
        }
        let record = try await bench.ledger.transaction(id)
        let state = try #require(PaymentState(record.state), what)
        #expect(state.outcome == result.response.outcome, what)
        #expect(record.outcome == result.response.outcome.rawValue, what)
        try await checkJournal(id, endsIn: record.state)
        let net = bench.issuer.entries.filter { $0.attempt.text == id }.reduce(Int64(0)) { $0 + $1.signedMinorUnits }
        #expect(net == (state == .approved ? MatrixBench.amount : 0), what)
        let allowed: Set<PaymentState> = reachedIssuer ? [.approved, .reversed] : [.cancelled, .expired, .failed]
        #expect(allowed.contains(state), what)
        #expect((result.failure == nil) == (state == .approved), what)
        return state
    }

    private func checkJournal(_ id: String, endsIn last: StateName) async throws {
        let journal = try await bench.ledger.journal(of: id)
        #expect(journal.last?.to == last, what)
        #expect(journal.first?.from == nil && journal.first?.to == PaymentState.created.name, what)
        for (entry, next) in zip(journal, journal.dropFirst()) { #expect(next.from == entry.to, what) }
    }
}
