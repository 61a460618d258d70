/// What a step does to the plan of recovery: when an open transaction is due for the next attempt to find out its end.
public enum RecoveryPlan: Hashable, Sendable {
    /// The plan stays as it is.
    case keep
    /// Nothing is to be done any more. The count of attempts stays, as a fact.
    case none
    /// - Parameters:
    ///   - at: unix milliseconds.
    ///   - tries: attempts made so far, 0 and up.
    case due(at: Int64, tries: Int)

    /// The columns that it changes.
    var values: [(column: TransactionColumn, value: SQLiteValue)] {
        switch self {
        case .keep: []
        case .none: [(.resolveAt, .integer(nil))]
        case .due(let at, let tries): [(.resolveAt, .integer(at)), (.resolveTries, .integer(Int64(tries)))]
        }
    }
}
