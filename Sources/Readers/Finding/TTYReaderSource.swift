import Discovery
import Serial
import Synchronization
public import Transport

/// Readers on serial ports: those that the configuration names, by the port or by its USB device, those whose USB device is
/// in the catalogue, and only when told to be intrusive every other USB serial port, which is then asked. Deadlines are instants of
/// `SystemMonotonicClock`.
public final class TTYReaderSource: ReaderSource, LineReaderSource {
    let clock: any MonotonicClock
    private let configured: [ConfiguredTTY]
    private let named: [ConfiguredUSBLine]
    private let isIntrusive: Bool
    let findings = LineFindings()
    private let state = Mutex(State())

    private struct State {
        var context: SerialContext?
        var monitor: TTYMonitor?
    }

    /// - Parameter named: lines of USB devices; those that are wanted directly are left alone.
    public init(
        configured: [ConfiguredTTY] = [], named: [ConfiguredUSBLine] = [], isIntrusive: Bool = false,
        clock: any MonotonicClock = SystemMonotonicClock.shared
    ) {
        self.configured = configured
        self.named = named
        self.isIntrusive = isIntrusive
        self.clock = clock
    }

    public func scan() async throws(ReaderError) -> [FoundReader] {
        await readers(at: try candidates())
    }

    public func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> OpenedReader {
        guard let candidate = try candidate(of: reader) else { throw ReaderError(.gone, during: Self.opening) }
        return try await openReader(
            reader, at: candidate, isUSBFunction: candidate.port?.driver == "cdc_acm", until: deadline)
    }

    public func inspect(_ reader: FoundReader) async -> ReaderInspection {
        var inspection = ReaderInspection()
        guard let candidate = try? candidate(of: reader) else { return inspection }
        if candidate.port?.isModemManagerCandidate == true { inspection.problems.append(TTYProblems.modemManager) }
        if let problem = notConfigured(candidate) { inspection.problems.append(problem) }
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
        return await explainSilence(of: reader, at: candidate)
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
        return AsyncStream(after: monitor.events()) { [named] in Self.isChange($0, named: named) }
    }

    /// The tty of a chip that is used directly goes and comes with each use: that changes nothing.
    static func isChange(_ event: TTYEvent, named: [ConfiguredUSBLine]) -> Bool {
        !named.contains { $0.isDirect && $0.isOn(event.device) }
    }

    public func close() async {
        let (context, monitor) = state.withLock { state in
            defer { state = State() }
            return (state.context, state.monitor)
        }
        await monitor?.close()
        await context?.shutdown()
    }

    func openLine(_ line: TTYCandidate, until deadline: Deadline) async throws(ReaderError) -> any SerialLine {
        do throws(TransportError) {
            return try await context().open(line.node, SerialSettings(baud: line.speed), until: deadline)
        } catch {
            throw ReaderError(error, during: Self.opening)
        }
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
            let (devices, ttys) = (try DeviceMonitor.scan(), try TTYMonitor.scan())
            return TTYCandidate.all(
                configured: configured, named: named, present: ttys, lines: USBLine.all(in: devices, ttys),
                ignoredDevices: Set(devices.filter(\.isIgnored).map(\.sysname)), isIntrusive: isIntrusive)
        } catch {
            throw ReaderError(.linkFailed, during: "looking for serial ports", detail: "\(error)")
        }
    }
}
