import Ledger
import Payments
import Testing

@Suite struct PaymentStateTests {
    /// Every edge; the product has no step for months, PIN and signature yet, and a card may decline by itself.
    private static let edges: [(PaymentState, Set<PaymentState>)] = [
        (.created, [.readerArmed, .authorizing, .cancelled, .expired, .failed]),
        (.readerArmed, [.cardPresented, .cancelled, .expired, .failed]),
        (.cardPresented, [.authorizing, .declined, .cancelled, .expired, .failed]),
        (.authorizing, [.approved, .partiallyApproved, .declined, .failed, .unknown]),
        (.unknown, [.approved, .declined, .reversed, .manualReview]),
        (.manualReview, [.approved, .declined, .reversed]),
        (.partiallyApproved, [.approved, .reversed, .manualReview]),
        (.approved, [.voided, .partiallyRefunded, .refunded, .settled]),
        (.partiallyRefunded, [.partiallyRefunded, .refunded, .settled]),
        (.declined, []), (.cancelled, []), (.expired, []), (.failed, []), (.reversed, []), (.voided, []),
        (.refunded, []), (.settled, [.partiallyRefunded, .refunded]),
    ]

    @Test("the edges are these, and no others")
    func successors() {
        #expect(Self.edges.count == PaymentState.allCases.count)
        for (state, successors) in Self.edges { #expect(state.successors == successors, "\(state)") }
    }

    @Test("the way back is the way there")
    func predecessors() {
        for state in PaymentState.allCases {
            #expect(state.predecessors == Set(Self.edges.filter { $0.1.contains(state) }.map(\.0)), "\(state)")
        }
    }

    @Test("from outside a state looks like this")
    func outcomes() {
        let expected: [(PaymentOutcome?, [PaymentState])] = [
            (nil, [.created, .readerArmed, .cardPresented, .authorizing]),
            (.approved, [.approved, .voided, .partiallyRefunded, .refunded, .settled]),
            (.declined, [.declined]), (.cancelled, [.cancelled]), (.expired, [.expired]),
            (.failed, [.failed, .reversed]), (.unknown, [.unknown, .manualReview, .partiallyApproved]),
        ]
        #expect(expected.flatMap(\.1).count == PaymentState.allCases.count)
        for (outcome, states) in expected {
            for state in states { #expect(state.outcome == outcome, "\(state)") }
        }
    }

    @Test("the ledger's name of a state leads back to it")
    func names() {
        for state in PaymentState.allCases { #expect(PaymentState(state.name) == state) }
        #expect(PaymentState(rawValue: "Approved") == nil)
    }

    @Test("result is aprobada, rechazada or error")
    func results() {
        let expected: [PaymentOutcome: String] = [
            .approved: "aprobada", .declined: "rechazada", .cancelled: "error", .expired: "error", .failed: "error",
            .unknown: "error",
        ]
        for outcome in PaymentOutcome.allCases { #expect(outcome.result == expected[outcome]) }
    }
}
