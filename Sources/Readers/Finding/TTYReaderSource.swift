import Discovery
import Serial
import Synchronization
public import Transport

/// Readers on serial ports: those that the configuration names, those whose USB device is in the catalogue, and only when
/// told to be intrusive every other USB serial port, which is then asked. Deadlines are instants of
/// `SystemMonotonicClock`.
public final class TTYReaderSource: ReaderSource {
    private let configured: [ConfiguredTTY]
    private let isIntrusive: Bool
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    private struct State {
        var context: SerialContext?
        var monitor: TTYMonitor?
        /// What the intrusive search has found, by node.
        var findings: [String: TTYSpeedSearch.Finding] = [:]
    }

    private static let opening = "opening the reader"
    private static let openTimeout = Duration.seconds(2)

    public init(
        configured: [ConfiguredTTY] = [], isIntrusive: Bool = false,
        clock: any MonotonicClock = SystemMonotonicClock.shared
    ) {
        self.configured = configured
        self.isIntrusive = isIntrusive
        self.clock = clock
    }

    public func scan() async throws(ReaderError) -> [FoundReader] {
        var found: [FoundReader] = []
        for candidate in try candidates() {
            var family = candidate.family
            if candidate.reason == .intrusive {
                let finding = await search(candidate, TTYSpeedSearch.families, TTYSpeedSearch.speeds)
                state.withLock { $0.findings[candidate.node] = finding }
                family = finding?.family
            }
            found.append(candidate.found(as: family))
        }
        return found.sorted { $0.id < $1.id }
    }

    public func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> OpenedReader {
        guard let candidate = try candidate(of: reader) else { throw ReaderError(.gone, during: Self.opening) }
        let line = try await openLine(candidate, until: deadline)
        switch reader.family {
        case .neo2:
            return .kernel(
                try await NEO2Reader.open(line, form: .stream, model: reader.model, clock: clock, until: deadline))
        case .qpos:
            return .kernel(try await QPOSReader.open(line, model: reader.model, clock: clock, until: deadline))
        case .mpi:
            let form: MPIReader.LinkForm = candidate.port?.driver == "cdc_acm" ? .usb : .serial
            return .kernel(
                try await MPIReader.open(line, form: form, model: reader.model, clock: clock, until: deadline))
        case .ccid, nil:
            await line.close()
            throw ReaderError(reader.family == nil ? .silent : .unsupported, during: Self.opening)
        }
    }

    public func inspect(_ reader: FoundReader) async -> ReaderInspection {
        var inspection = ReaderInspection()
        guard let candidate = try? candidate(of: reader) else { return inspection }
        if candidate.port?.isModemManagerCandidate == true { inspection.problems.append(TTYProblems.modemManager) }
        if candidate.reason == .intrusive, let finding = finding(candidate), finding.speed == candidate.speed {
            inspection.problems.append(TTYProblems.notConfigured(candidate, finding))
        }
        inspection.denial = TTYProblems.denial(candidate.node)
        return inspection
    }

    public func holder(of reader: FoundReader) async -> String? {
        guard let node = reader.node else { return nil }
        let programs = NodeHolder.all(of: node).map { "\($0.name) (process \($0.processId))" }
        return programs.isEmpty ? nil : programs.joined(separator: ", ")
    }

    public func explainSilence(of reader: FoundReader) async -> ReaderProblem? {
        guard let candidate = try? candidate(of: reader) else { return nil }
        guard let family = reader.family else { return TTYProblems.unknown(candidate) }
        var finding = finding(candidate)
        if finding == nil {
            finding = await search(candidate, [family], TTYSpeedSearch.speeds.filter { $0 != candidate.speed })
        }
        guard let finding, finding.speed != candidate.speed else { return TTYProblems.silent(candidate) }
        return TTYProblems.wrongSpeed(candidate, finding)
    }

    public func changes() async throws(ReaderError) -> AsyncStream<Void> {
        let monitor: TTYMonitor
        do throws(DiscoveryError) {
            monitor = try await TTYMonitor.start()
        } catch {
            throw ReaderError(.linkFailed, during: "watching the serial ports", detail: "\(error)")
        }
        let earlier = state.withLock { state in
            defer { state.monitor = monitor }
            return state.monitor
        }
        await earlier?.close()
        return AsyncStream(after: monitor.events())
    }

    public func close() async {
        let (context, monitor) = state.withLock { state in
            defer { state = State() }
            return (state.context, state.monitor)
        }
        await monitor?.close()
        await context?.shutdown()
    }

    /// Nil when the port cannot be opened, too: opening the reader will tell why.
    private func search(
        _ candidate: TTYCandidate, _ families: [ReaderFamily], _ speeds: [BaudRate]
    ) async -> TTYSpeedSearch.Finding? {
        let deadline = Deadline.after(Self.openTimeout, on: clock)
        guard let line = try? await openLine(candidate, until: deadline) else { return nil }
        let finding = try? await TTYSpeedSearch(line: line, clock: clock).find(families, at: speeds)
        await line.close()
        return finding ?? nil
    }

    private func openLine(_ candidate: TTYCandidate, until deadline: Deadline) async throws(ReaderError) -> SerialPort {
        do throws(TransportError) {
            return try await context().open(candidate.node, SerialSettings(baud: candidate.speed), until: deadline)
        } catch {
            throw ReaderError(error, during: Self.opening)
        }
    }

    private func finding(_ candidate: TTYCandidate) -> TTYSpeedSearch.Finding? {
        state.withLock { $0.findings[candidate.node] }
    }

    private func context() -> SerialContext {
        state.withLock { state in
            if let context = state.context { return context }
            let context = SerialContext()
            state.context = context
            return context
        }
    }

    private func candidate(of reader: FoundReader) throws(ReaderError) -> TTYCandidate? {
        try candidates().first { $0.node == reader.node }
    }

    private func candidates() throws(ReaderError) -> [TTYCandidate] {
        do throws(DiscoveryError) {
            let ignored = try DeviceMonitor.scan().filter(\.isIgnored).map(\.sysname)
            return TTYCandidate.all(
                configured: configured, present: try TTYMonitor.scan(), ignoredDevices: Set(ignored),
                isIntrusive: isIntrusive)
        } catch {
            throw ReaderError(.linkFailed, during: "looking for serial ports", detail: "\(error)")
        }
    }
}
