public import Transport

/// Keeps `ReaderStates` true to what is plugged in: scans after each change of the source, and looks at every reader that
/// this program does not use.
public struct ReaderWatch: Sendable {
    private let source: any ReaderSource
    private let states: ReaderStates
    private let probe: ReaderProbe
    private let changes: AsyncStream<Void>
    private let looksAgain: Bool

    /// Watches, then looks for the first time: nothing is missed between the two. Returns when every reader has been looked
    /// at.
    ///
    /// - Parameters:
    ///   - source: not an `ObservedReaderSource`: a look is not a use. The caller closes it.
    ///   - looksAgain: at each change also at readers that were found ready, for the card in them. A reader cannot be opened
    ///     while it is looked at.
    public static func start(
        _ source: any ReaderSource, states: ReaderStates, clock: any MonotonicClock, looksAgain: Bool = false
    ) async throws(ReaderError) -> ReaderWatch {
        let watch = ReaderWatch(
            source: source, states: states, probe: ReaderProbe(source: source, clock: clock),
            changes: try await source.changes(), looksAgain: looksAgain)
        try await watch.look()
        return watch
    }

    /// Returns when the source is closed or the task is cancelled. May be called once.
    public func follow() async throws(ReaderError) {
        for await _ in changes {
            if Task.isCancelled { return }
            try await look()
        }
    }

    private func look() async throws(ReaderError) {
        states.present(try await source.scan())
        for (reader, stay) in states.lookable(again: looksAgain) {
            if Task.isCancelled { return }
            states.looked(at: stay, await probe.probe(reader))
        }
    }
}
