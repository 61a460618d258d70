import Synchronization
public import Transport

/// The one place that says how every reader is, for as many as want to know.
///
/// It is told by `ReaderWatch` what is plugged in and what a look at it came to, and by `ObservedReaderSource` what this
/// program does with it. All may be called from any task; nothing here waits.
public final class ReaderStates: Sendable {
    /// How long a reader that has left keeps its place, its id with it, before it counts as gone.
    public static let usualGrace = Duration.seconds(30)
    /// Readers that are gone and still listed; the one that went first is dropped first.
    static let keptGone = 16

    /// One stay of a reader on its bus. What is told of an earlier stay counts no more.
    struct Stay: Sendable, Hashable {
        let id: String
        let number: UInt64
    }

    private struct Place {
        var reader: FoundReader
        var state = ReaderState.discovering
        var report: ReaderReport?
        var stay: UInt64
        /// How often this program has it open.
        var sessions = 0
        /// Ends the grace period.
        var timer: Task<Void, Never>?
        /// When it went, in revisions.
        var goneAt: UInt64 = 0
    }

    private struct State {
        var places: [String: Place] = [:]
        var roster = ReaderRoster(revision: 0, entries: [])
        var lastStay: UInt64 = 0
        var subscribers: [UInt64: AsyncStream<ReaderRoster>.Continuation] = [:]
        var lastSubscriber: UInt64 = 0
        var isClosed = false
    }

    private let clock: any MonotonicClock
    private let grace: Duration
    private let state = Mutex(State())

    public init(clock: any MonotonicClock, grace: Duration = ReaderStates.usualGrace) {
        self.clock = clock
        self.grace = grace
    }

    // MARK: For whoever wants to know

    public var roster: ReaderRoster { state.withLock { $0.roster } }

    /// The present roster, then each new one, whole and in order; ends at `close()`, or when the iterating task is
    /// cancelled.
    ///
    /// Only the newest that was not taken is kept: a slow subscriber passes over steps, and costs no memory.
    public func rosters() -> AsyncStream<ReaderRoster> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ReaderRoster.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state -> UInt64? in
            continuation.yield(state.roster)
            guard !state.isClosed else { return nil }
            state.lastSubscriber &+= 1
            state.subscribers[state.lastSubscriber] = continuation
            return state.lastSubscriber
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.subscribers.removeValue(forKey: id) }
        }
        return stream
    }

    var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    /// Ends every stream and every grace period. What is told afterwards changes nothing.
    public func close() {
        let (subscribers, timers) = state.withLock { state in
            state.isClosed = true
            defer { state.subscribers = [:] }
            return (Array(state.subscribers.values), state.places.values.compactMap(\.timer))
        }
        for timer in timers { timer.cancel() }
        for subscriber in subscribers { subscriber.finish() }
    }

    // MARK: What is plugged in

    /// What is there now, whole: a reader that is not listed has left.
    func present(_ found: [FoundReader]) {
        let now = clock.now()
        change { state in
            for reader in found { Self.arrive(reader, &state, at: now) }
            let ids = Set(found.map(\.id))
            for (id, place) in state.places where place.state.isPresent && !ids.contains(id) {
                Self.step(.left(at: now), of: id, &state)
            }
        }
    }

    private static func arrive(_ reader: FoundReader, _ state: inout State, at now: MonotonicInstant) {
        guard let place = state.places[reader.id] else {
            state.lastStay &+= 1
            state.places[reader.id] = Place(reader: reader, stay: state.lastStay)
            return
        }
        // Another node is another stay, even if nobody saw the reader leave.
        let isSame = place.reader.node == reader.node && place.reader.port == reader.port
        state.places[reader.id]?.reader = reader
        if place.state.isPresent {
            guard !isSame else { return }
            step(.left(at: now), of: reader.id, &state)
        }
        step(.returned, of: reader.id, &state)
    }

    // MARK: What a look at it came to

    /// Those that may be looked at: nobody here uses them.
    func lookable(_ scope: ReaderWatch.Scope) -> [(reader: FoundReader, stay: Stay)] {
        state.withLock { state in
            state.places.values.filter {
                guard $0.state.isPresent, $0.sessions == 0, !$0.state.isOurs else { return false }
                return switch (scope, $0.state) {
                case (.all, _), (_, .discovering), (_, .busy): true
                case (.unusable, .fault): true
                case (.held, .fault(let problem)): problem.mayPassUnseen
                default: false
                }
            }
            .map { ($0.reader, Stay(id: $0.reader.id, number: $0.stay)) }
            .sorted { $0.reader.id < $1.reader.id }
        }
    }

    /// Something may have become better without an event that says so.
    var awaitsNews: Bool {
        state.withLock { state in
            state.places.values.contains {
                switch $0.state {
                case .busy(.held), .reconnecting(_, .lost): true
                case .fault(let problem): problem.mayPassUnseen
                default: false
                }
            }
        }
    }

    /// A look that came too late, after the reader has left or has been taken into use, is dropped.
    func looked(at stay: Stay, _ report: ReaderReport) {
        change { state in
            guard let place = Self.place(stay, state), place.sessions == 0, !place.state.isOurs else { return }
            state.places[stay.id]?.report = report
            Self.step(.looked(ReaderFinding(report)), of: stay.id, &state)
        }
    }

    // MARK: What this program does with it

    /// Somebody wants to open the reader. Nil when that is no news of it yet: an operation of this program is under way,
    /// or the reader has left.
    func opening(_ reader: FoundReader, _ operation: String) -> Stay? {
        changing { state in
            if state.places[reader.id] == nil { Self.arrive(reader, &state, at: clock.now()) }
            guard let place = state.places[reader.id], place.state.isPresent, !place.state.isOurs else { return nil }
            Self.step(.began(operation), of: reader.id, &state)
            return Stay(id: reader.id, number: place.stay)
        }
    }

    /// - Parameter stay: as `opening` told it. A reader that had left has come back, if it could be opened.
    func opened(_ reader: FoundReader, _ stay: Stay?, _ operation: String) -> Stay? {
        changing { state in
            if stay == nil, state.places[reader.id]?.state.isPresent != true {
                Self.arrive(reader, &state, at: clock.now())
                Self.step(.began(operation), of: reader.id, &state)
            }
            guard let place = state.places[reader.id], place.state.isPresent, stay?.number ?? place.stay == place.stay
            else { return nil }
            state.places[reader.id]?.sessions += 1
            if place.state == .busy(.operation(operation)) { Self.step(.ended(nil), of: reader.id, &state) }
            return Stay(id: reader.id, number: place.stay)
        }
    }

    /// - Parameter holder: as `ReaderSource.holder(of:)` tells it, of a reader that is busy.
    func notOpened(_ stay: Stay, _ error: ReaderError, heldBy holder: String?) {
        let now = clock.now()
        change { state in
            guard let place = Self.place(stay, state), place.state.isOurs else { return }
            var trouble = ReaderTrouble(error, isOpening: true, heldBy: holder, at: now)
            // It is this program itself that has it.
            if error.code == .busy, place.sessions > 0 { trouble = nil }
            Self.step(.ended(trouble), of: stay.id, &state)
        }
    }

    func began(_ stay: Stay, _ operation: String) {
        change { state in
            guard let place = Self.place(stay, state), !place.state.isOurs else { return }
            Self.step(.began(operation), of: stay.id, &state)
        }
    }

    func ended(_ stay: Stay, _ error: ReaderError?) {
        let now = clock.now()
        change { state in
            guard let place = Self.place(stay, state), place.state.isOurs else { return }
            let trouble = error.flatMap { ReaderTrouble($0, isOpening: false, at: now) }
            Self.step(.ended(trouble), of: stay.id, &state)
        }
    }

    func closed(_ stay: Stay) {
        change { state in
            guard Self.place(stay, state) != nil else { return }
            state.places[stay.id]?.sessions -= 1
        }
    }

    // MARK: Changes

    private static func place(_ stay: Stay, _ state: State) -> Place? {
        state.places[stay.id].flatMap { $0.stay == stay.number ? $0 : nil }
    }

    /// Applies a change and tells the subscribers, in one step, so that every stream has the same order.
    private func changing<Result>(_ body: (inout State) -> Result?) -> Result? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let result = body(&state)
            Self.dropOldest(&state)
            keepTimers(&state)
            publish(&state)
            return result
        }
    }

    private func change(_ body: (inout State) -> Void) {
        _ = changing { state -> Void? in body(&state) }
    }

    /// The callers have made sure that the state has this step.
    private static func step(_ step: ReaderStep, of id: String, _ state: inout State) {
        guard var place = state.places[id] else { return }
        do {
            place.state = try place.state.after(step)
        } catch {
            assertionFailure("\(error)")
            return
        }
        switch place.state {
        case .reconnecting, .discovering:
            state.lastStay &+= 1
            place.stay = state.lastStay
            place.sessions = 0
            place.report = nil
        case .gone: place.goneAt = state.roster.revision &+ 1
        case .ready, .busy, .fault: break
        }
        state.places[id] = place
    }

    private static func dropOldest(_ state: inout State) {
        let gone = state.places.values.filter { $0.state.name == .gone }.sorted { $0.goneAt < $1.goneAt }
        for place in gone.dropLast(Self.keptGone) { state.places[place.reader.id] = nil }
    }

    /// One for each reader whose grace period runs.
    private func keepTimers(_ state: inout State) {
        for (id, place) in state.places {
            switch place.state {
            case .reconnecting(let since, _):
                guard place.timer == nil else { continue }
                let (stay, end) = (Stay(id: id, number: place.stay), since.advanced(by: grace))
                state.places[id]?.timer = Task { [weak self, clock] in
                    await clock.sleep(until: end)
                    if !Task.isCancelled { self?.graceEnded(stay) }
                }
            default:
                place.timer?.cancel()
                state.places[id]?.timer = nil
            }
        }
    }

    private func graceEnded(_ stay: Stay) {
        change { state in
            guard Self.place(stay, state)?.state.name == .reconnecting else { return }
            Self.step(.graceEnded, of: stay.id, &state)
        }
    }

    private func publish(_ state: inout State) {
        let entries = state.places.values.sorted { $0.reader.id < $1.reader.id }.map {
            ReaderRoster.Entry(reader: $0.reader, state: $0.state, report: $0.report)
        }
        guard entries != state.roster.entries else { return }
        state.roster = ReaderRoster(revision: state.roster.revision &+ 1, entries: entries)
        for subscriber in state.subscribers.values { subscriber.yield(state.roster) }
    }
}

extension ReaderState {
    /// An operation of this program is under way.
    fileprivate var isOurs: Bool {
        if case .busy(.operation) = self { return true }
        return false
    }
}

extension ReaderProblem {
    /// Whether it can end without a change on the bus: a transfer that failed once, rights that were given since, a driver
    /// that was unloaded. Asking is quick then.
    fileprivate var mayPassUnseen: Bool {
        switch code {
        case .fault, .accessDenied, .kernelDriver: true
        default: false
        }
    }
}
