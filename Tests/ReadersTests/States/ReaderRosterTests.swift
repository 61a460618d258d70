import Testing
import Transport

@testable import Readers

/// What a subscriber gets: whole rosters, in order, the newest at the latest, and an end.
@Suite("subscribers to the states of readers", .timeLimit(.minutes(1)))
struct ReaderRosterTests {
    private static let readers = (0..<3).map {
        FoundReader(id: "\($0)", family: .ccid, model: "Mock", link: .usb)
    }

    /// So many changes: a reader more, a reader less.
    private func churn(_ states: ReaderStates, _ count: Int) {
        for number in 0..<count { states.present(number.isMultiple(of: 2) ? Self.readers : [Self.readers[0]]) }
    }

    @Test("a subscriber that takes nothing finds one roster, the newest")
    func slow() async {
        let states = ReaderStates(clock: ManualClock())
        let stream = states.rosters()
        churn(states, 1_000)
        states.close()
        var seen: [ReaderRoster] = []
        for await roster in stream { seen.append(roster) }
        #expect(seen == [states.roster])
        #expect(seen.first?.revision == 1_000)
        #expect(seen.first?.entries.count == 3)
    }

    @Test("every subscriber gets whole rosters in order, and the last of all")
    func order() async {
        let states = ReaderStates(clock: ManualClock())
        await withTaskGroup(of: [ReaderRoster].self) { group in
            for _ in 0..<4 {
                let stream = states.rosters()
                group.addTask {
                    var seen: [ReaderRoster] = []
                    for await roster in stream { seen.append(roster) }
                    return seen
                }
            }
            for _ in 0..<200 {
                churn(states, 2)
                await Task.yield()
            }
            states.close()
            for await seen in group {
                #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.revision < $1.revision })
                #expect(seen.last == states.roster)
                #expect(seen.allSatisfy { $0.revision == 0 || $0.entries.count == 3 })
            }
        }
    }

    @Test("a change of nothing is none")
    func nothing() {
        let states = ReaderStates(clock: ManualClock())
        states.present(Self.readers)
        states.present(Self.readers)
        #expect(states.roster.revision == 1)
        states.close()
    }

    @Test("a cancelled subscriber ends at once and is forgotten; so is one that is dropped")
    func cancelled() async {
        let states = ReaderStates(clock: ManualClock())
        let (began, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in states.rosters() { beginning.yield() }
        }
        for await _ in began { break }
        #expect(states.subscriberCount == 1)
        task.cancel()
        await task.value
        #expect(states.subscriberCount == 0)
        do { _ = states.rosters() }
        #expect(states.subscriberCount == 0)
        states.close()
    }

    @Test("after the end a subscriber gets the last roster, and then the end")
    func closed() async {
        let clock = ManualClock()
        let states = ReaderStates(clock: clock)
        states.present([Self.readers[0]])
        states.present([])
        await clock.untilSomebodySleeps()
        states.close()
        states.present(Self.readers)
        var seen: [ReaderState.Name] = []
        for await roster in states.rosters() { seen += roster.entries.map(\.state.name) }
        #expect(seen == [.reconnecting])
        #expect(clock.sleepers == 0)
    }

    @Test("following ends when its task is cancelled, and when the source is closed", arguments: [true, false])
    func following(isCancelled: Bool) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let states = ReaderStates(clock: ManualClock())
        let watch = try await ReaderWatch.start(
            ChangingSource(stream: stream), states: states, clock: VirtualClock())
        #expect(states.roster["stub:1"]?.state.name == .fault)
        let task = Task { try? await watch.follow() }
        if isCancelled { task.cancel() } else { continuation.finish() }
        await task.value
        states.close()
    }

    /// A stub whose changes a test makes.
    private struct ChangingSource: ReaderSource {
        let stub = StubSource()
        let stream: AsyncStream<Void>

        func scan() async throws(ReaderError) -> [FoundReader] { try await stub.scan() }
        func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> OpenedReader {
            try await stub.open(reader, until: deadline)
        }
        func inspect(_ reader: FoundReader) async -> ReaderInspection { await stub.inspect(reader) }
        func holder(of reader: FoundReader) async -> String? { nil }
        func changes() async throws(ReaderError) -> AsyncStream<Void> { stream }
        func close() async {}
    }
}
