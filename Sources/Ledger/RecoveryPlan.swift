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

    /// For `resolve_at = CASE ? WHEN 0 THEN resolve_at ELSE ? END, resolve_tries = coalesce(?, resolve_tries)`.
    var values: [SQLiteValue] {
        switch self {
        case .keep: [.integer(0), .integer(nil), .integer(nil)]
        case .none: [.integer(1), .integer(nil), .integer(nil)]
        case .due(let at, let tries): [.integer(1), .integer(at), .integer(Int64(tries))]
        }
    }

    static let assignments =
        "resolve_at = CASE ? WHEN 0 THEN resolve_at ELSE ? END, resolve_tries = coalesce(?, resolve_tries)"
}
