/// Effects that are still to come, in the order of their times; equal times keep the order in which they were added.
struct Agenda<Effect: Sendable>: Sendable {
    private var entries: [(due: Duration, effect: Effect)] = []

    /// More than this is never kept: the newest is dropped.
    private static var limit: Int { 4096 }

    var nextDue: Duration? { entries.first?.due }

    mutating func add(_ effect: Effect, at due: Duration) {
        guard entries.count < Self.limit else { return }
        let index = entries.firstIndex { $0.due > due } ?? entries.endIndex
        entries.insert((due, effect), at: index)
    }

    /// Takes out what is due.
    mutating func take(until now: Duration) -> [Effect] {
        let count = entries.prefix { $0.due <= now }.count
        defer { entries.removeFirst(count) }
        return entries.prefix(count).map(\.effect)
    }

    mutating func removeAll(where isUnwanted: (Effect) -> Bool) {
        entries.removeAll { isUnwanted($0.effect) }
    }
}

typealias EffectAgenda = Agenda<FirmwareEffect>

extension EffectAgenda {
    mutating func removeData(on endpoint: UInt8) {
        removeAll { effect in
            if case .data(endpoint, _, _) = effect { true } else { false }
        }
    }
}
