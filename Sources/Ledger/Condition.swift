/// A piece of a WHERE clause: constant text with places, and the values that belong there.
struct Condition: Sendable {
    let sql: String
    let values: [SQLiteValue]

    /// No state at all: nothing matches.
    static func state(in states: Set<StateName>) -> Condition {
        let places = states.map { _ in "?" }.joined(separator: ", ")
        return Condition(sql: "state IN (\(places))", values: states.map { .text($0.rawValue) })
    }

    static func all(_ conditions: [Condition?]) -> Condition {
        let given = conditions.compactMap { $0 }
        guard !given.isEmpty else { return Condition(sql: "TRUE", values: []) }
        return Condition(
            sql: given.map(\.sql).joined(separator: " AND "), values: given.flatMap(\.values))
    }
}
