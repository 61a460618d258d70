/// Effects that are still to come, in the order of their times; equal times keep the order in which they were added.
struct EffectAgenda: Sendable {
    private var entries: [(due: Duration, effect: FirmwareEffect)] = []

    /// More than this is never kept: the newest is dropped.
    private static let limit = 4096

    var nextDue: Duration? { entries.first?.due }

    mutating func add(_ effect: FirmwareEffect, at due: Duration) {
        guard entries.count < Self.limit else { return }
        let index = entries.firstIndex { $0.due > due } ?? entries.endIndex
        entries.insert((due, effect), at: index)
    }

    /// Takes out what is due.
    mutating func take(until now: Duration) -> [FirmwareEffect] {
        let count = entries.prefix { $0.due <= now }.count
        defer { entries.removeFirst(count) }
        return entries.prefix(count).map(\.effect)
    }

    mutating func removeData(on endpoint: UInt8) {
        entries.removeAll { entry in
            if case .data(endpoint, _, _) = entry.effect { true } else { false }
        }
    }
}
