import Synchronization
public import Transport

/// Keeps `ReaderStates` true to what is plugged in: scans after each change of the source, and looks at every reader that
/// this program does not use.
public struct ReaderWatch: Sendable {
    /// Which readers are looked at.
    enum Scope: Sendable {
        /// Those of which no event will tell: new ones, those that another program holds, and those whose trouble may pass.
        case held
        /// Those that cannot be used as far as is known.
        case unusable
        case all
    }

    private let source: any ReaderSource
    private let states: ReaderStates
    private let probe: ReaderProbe
    private let changes: AsyncStream<Void>
    private let looksAgain: Bool
    private let recheck: Recheck?

    /// No event tells that another program lets go of a reader, that a reader that vanished in an operation is still plugged
    /// in, or that a look failed only once.
    public struct Recheck: Sendable {
        public let interval: Duration
        public let clock: any MonotonicClock

        public init(every interval: Duration, on clock: any MonotonicClock) {
            self.interval = interval
            self.clock = clock
        }
    }

    /// Watches, then looks for the first time: nothing is missed between the two. Returns when every reader has been looked
    /// at.
    ///
    /// - Parameters:
    ///   - source: not an `ObservedReaderSource`: a look is not a use. The caller closes it.
    ///   - looksAgain: at each change also at readers that were found ready, for the card in them. A reader cannot be opened
    ///     while it is looked at.
    ///   - recheck: how often it is seen whether a reader that another program holds, that was lost in an operation, or that
    ///     failed when it was looked at, can be used again; nil: at changes only.
    public static func start(
        _ source: any ReaderSource, states: ReaderStates, clock: any MonotonicClock, looksAgain: Bool = false,
        recheck: Recheck? = nil
    ) async throws(ReaderError) -> ReaderWatch {
        let watch = ReaderWatch(
            source: source, states: states, probe: ReaderProbe(source: source, clock: clock),
            changes: try await source.changes(), looksAgain: looksAgain, recheck: recheck)
        try await watch.look(looksAgain ? .all : .unusable)
        return watch
    }

    /// Returns when the source is closed or the task is cancelled. May be called once.
    public func follow() async throws(ReaderError) {
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let hasChanged = Flag()
        let outcome = await withTaskGroup(of: Void.self) { group -> Result<Void, ReaderError> in
            group.addTask {
                for await _ in changes {
                    hasChanged.raise()
                    waker.yield()
                }
                waker.finish()
            }
            if let recheck { group.addTask { await remind(recheck, waker) } }
            defer { group.cancelAll() }
            do throws(ReaderError) {
                for await _ in wakes {
                    if Task.isCancelled { break }
                    try await look(hasChanged.take() ? (looksAgain ? .all : .unusable) : .held)
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }

    private func remind(_ recheck: Recheck, _ waker: AsyncStream<Void>.Continuation) async {
        while !Task.isCancelled {
            await recheck.clock.sleep(until: recheck.clock.now().advanced(by: recheck.interval))
            if states.awaitsNews { waker.yield() }
        }
    }

    private func look(_ scope: Scope) async throws(ReaderError) {
        states.present(try await source.scan())
        for (reader, stay) in states.lookable(scope) {
            if Task.isCancelled { return }
            states.looked(at: stay, await probe.probe(reader))
        }
    }

    private final class Flag: Sendable {
        private let isUp = Mutex(false)

        func raise() { isUp.withLock { $0 = true } }

        func take() -> Bool {
            isUp.withLock { isUp in
                defer { isUp = false }
                return isUp
            }
        }
    }
}
