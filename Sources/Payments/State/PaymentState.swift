public import Ledger

/// The life of a payment. The edges are the whole table: any other step is refused.
public enum PaymentState: String, Sendable, Hashable, CaseIterable {
    case created, readerArmed, cardPresented, authorizing
    case approved, partiallyApproved, declined, cancelled, expired, failed, unknown
    case reversed, voided, partiallyRefunded, refunded, settled, manualReview

    /// Where it can go from here.
    public var successors: Set<PaymentState> {
        switch self {
        case .created: [.readerArmed, .authorizing, .cancelled, .expired, .failed]
        case .readerArmed: [.cardPresented, .cancelled, .expired, .failed]
        case .cardPresented: [.authorizing, .declined, .cancelled, .expired, .failed]
        case .authorizing: [.approved, .partiallyApproved, .declined, .failed, .unknown]
        case .unknown: [.approved, .declined, .reversed, .manualReview]
        case .partiallyApproved: [.approved, .reversed, .manualReview]
        case .approved: [.voided, .partiallyRefunded, .refunded, .settled]
        case .partiallyRefunded: [.partiallyRefunded, .refunded, .settled]
        // The customer may come back after the batch was closed.
        case .settled: [.partiallyRefunded, .refunded]
        case .manualReview: [.approved, .declined, .reversed]
        case .declined, .cancelled, .expired, .failed, .reversed, .voided, .refunded: []
        }
    }

    /// States from which `self` may be reached.
    public var predecessors: Set<PaymentState> { Self.allPredecessors[self] ?? [] }

    private static let allPredecessors = Dictionary(
        uniqueKeysWithValues: allCases.map { state in (state, Set(allCases.filter { $0.successors.contains(state) })) })

    /// How it looks from outside.
    public var outcome: PaymentOutcome? {
        switch self {
        case .created, .readerArmed, .cardPresented, .authorizing: nil
        case .approved, .voided, .partiallyRefunded, .refunded, .settled: .approved
        case .declined: .declined
        case .cancelled: .cancelled
        case .expired: .expired
        case .failed, .reversed: .failed
        case .unknown, .manualReview, .partiallyApproved: .unknown
        }
    }

    /// The name as the ledger stores it.
    public var name: StateName { StateName(rawValue: rawValue) }

    public init?(_ name: StateName) {
        self.init(rawValue: name.rawValue)
    }
}
