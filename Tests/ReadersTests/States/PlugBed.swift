import FirmwareCores
import InProcessMock
import Synchronization
import Testing
import Transport

@testable import Readers

/// Mock CCID readers that come and go on a bus of their own, watched. The readers' time moves by itself; that of the grace
/// period stands still until the test moves it.
final class PlugBed: Sendable {
    private struct State {
        var beds: [(reader: FoundReader, bed: CCIDBed)] = []
        var refusals: [String: ReaderError.Code] = [:]
        var changes: [AsyncStream<Void>.Continuation] = []
    }

    static let grace = Duration.seconds(30)
    let clock = ManualClock()
    private let readerClock = VirtualClock()
    let states: ReaderStates
    /// What an application opens readers through.
    let source: ObservedReaderSource
    private let bus: Bus
    private let watching: Task<Void, Never>

    /// The source without an eye on it.
    private final class Bus: ReaderSource {
        let state = Mutex(State())

        func scan() async throws(ReaderError) -> [FoundReader] {
            state.withLock { $0.beds.filter { $0.bed.device.isPlugged }.map(\.reader) }
        }

        func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> OpenedReader {
            let (bed, refusal) = state.withLock { state in
                (state.beds.first { $0.reader.id == reader.id }?.bed, state.refusals[reader.id])
            }
            if let refusal { throw ReaderError(refusal, during: "opening the reader") }
            guard let bed, bed.device.isPlugged else { throw ReaderError(.gone, during: "opening the reader") }
            do {
                return .channel(try await bed.open())
            } catch {
                throw error as? ReaderError ?? ReaderError(.unsupported, during: "opening the reader")
            }
        }

        func inspect(_ reader: FoundReader) async -> ReaderInspection { ReaderInspection() }
        func holder(of reader: FoundReader) async -> String? { "pcscd (process 7)" }
        func close() async { for stream in state.withLock({ $0.changes }) { stream.finish() } }

        func changes() async throws(ReaderError) -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            state.withLock { $0.changes.append(continuation) }
            return stream
        }
    }

    init(recheck: ReaderWatch.Recheck? = nil) async throws {
        bus = Bus()
        states = ReaderStates(clock: clock, grace: Self.grace)
        source = ObservedReaderSource(bus, states: states)
        let watch = try await ReaderWatch.start(bus, states: states, clock: readerClock, recheck: recheck)
        watching = Task { try? await watch.follow() }
    }

    @discardableResult
    func add(_ id: String, _ options: [String: String] = ["card": "none"]) throws -> CCIDBed {
        let bed = try CCIDBed(options, clock: readerClock)
        let reader = FoundReader(
            id: id, family: .ccid, model: "Mock", link: .usb, port: "usb:\(id)", node: "/dev/\(id)")
        bus.state.withLock { $0.beds.append((reader, bed)) }
        change()
        return bed
    }

    func steer(_ id: String, _ command: String) {
        bus.state.withLock { $0.beds.first { $0.reader.id == id }?.bed }?.steer(command)
        change()
    }

    /// Opening it ends so from now on.
    /// - Parameter isTold: the bus says that something has changed.
    func refuse(_ id: String, _ code: ReaderError.Code?, isTold: Bool = true) {
        bus.state.withLock { $0.refusals[id] = code }
        if isTold { change() }
    }

    /// The bus says that something has changed.
    func change() {
        for stream in bus.state.withLock({ $0.changes }) { stream.yield() }
    }

    func open(_ id: String) async throws(ReaderError) -> any ChipReader {
        guard let reader = states.roster[id]?.reader else { throw ReaderError(.notFound, during: "a test") }
        switch try await source.open(reader, until: .after(.seconds(10), on: readerClock)) {
        case .channel(let reader): return reader
        case .kernel: throw ReaderError(.unsupported, during: "a test")
        }
    }

    /// The state of a reader as soon as it is one of these; nil when the stream has ended before.
    @discardableResult
    func wait(_ id: String, _ names: ReaderState.Name...) async -> ReaderState? {
        for await roster in states.rosters() {
            if let state = roster[id]?.state, names.contains(state.name) { return state }
        }
        return nil
    }

    func close() async {
        await bus.close()
        await watching.value
        states.close()
    }
}
