public import Transport
import USBSerial

/// Readers at USB-serial chips that no driver of the kernel serves, or that the configuration wants without it. Which of
/// them are opened is decided as for ttys: those that the configuration names, those that the catalogue knows, and when
/// told to be intrusive all others.
public final class ChipReaderSource: ReaderSource, LineReaderSource {
    let clock: any MonotonicClock
    private let configured: [ConfiguredUSBLine]
    private let isIntrusive: Bool
    private let bus: any ChipBus
    private let watch = USBBusWatch()
    let findings = LineFindings()

    public convenience init(
        configured: [ConfiguredUSBLine] = [], isIntrusive: Bool = false,
        clock: any MonotonicClock = SystemMonotonicClock.shared
    ) {
        self.init(configured: configured, isIntrusive: isIntrusive, clock: clock, bus: USBLineOpener())
    }

    init(configured: [ConfiguredUSBLine], isIntrusive: Bool, clock: any MonotonicClock, bus: any ChipBus) {
        self.configured = configured
        self.isIntrusive = isIntrusive
        self.clock = clock
        self.bus = bus
    }

    public func scan() async throws(ReaderError) -> [FoundReader] {
        await readers(at: try candidates())
    }

    public func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> OpenedReader {
        guard let candidate = try candidate(of: reader) else { throw ReaderError(.gone, during: Self.opening) }
        return try await openReader(
            reader, at: candidate, isUSBFunction: candidate.line.function.chip is CDCACMChip, until: deadline)
    }

    public func inspect(_ reader: FoundReader) async -> ReaderInspection {
        var inspection = ReaderInspection()
        guard let candidate = try? candidate(of: reader) else { return inspection }
        if let problem = notConfigured(candidate) { inspection.problems.append(problem) }
        if let problem = twinProblem(of: candidate) { inspection.problems.append(problem) }
        inspection.denial = ChipProblems.denial(candidate)
        inspection.kernelDriver = ChipProblems.kernelDriver(candidate)
        return inspection
    }

    public func holder(of reader: FoundReader) async -> String? {
        guard let candidate = try? candidate(of: reader) else { return nil }
        let programs = NodeHolder.all(of: candidate.node).map { "\($0.name) (process \($0.processId))" }
        if !programs.isEmpty { return programs.joined(separator: ", ") }
        // One that could be taken away would not be in the way.
        return candidate.isDirect ? nil : candidate.line.kernelDriver.map { ReaderProblem.kernelDriver + $0 }
    }

    public func explainSilence(of reader: FoundReader) async -> ReaderProblem? {
        guard let candidate = try? candidate(of: reader) else { return nil }
        return await explainSilence(of: reader, at: candidate)
    }

    public func changes() async throws(ReaderError) -> AsyncStream<Void> { try await watch.changes() }

    public func close() async {
        await watch.close()
        await bus.close()
    }

    func openLine(_ line: ChipCandidate, until deadline: Deadline) async throws(ReaderError) -> any SerialLine {
        do throws(TransportError) {
            return try await bus.open(
                line.line, SerialSettings(baud: line.speed), takesFromKernel: line.isDirect, until: deadline)
        } catch {
            throw ReaderError(error, during: Self.opening)
        }
    }

    private func candidate(of reader: FoundReader) throws(ReaderError) -> ChipCandidate? {
        try candidates().first { $0.id == reader.id }
    }

    private func candidates() throws(ReaderError) -> [ChipCandidate] {
        let present = try bus.present()
        return ChipCandidate.all(
            configured: configured, lines: USBLine.all(in: present.devices, present.ttys), devices: present.devices,
            isIntrusive: isIntrusive)
    }

    private func twinProblem(of candidate: ChipCandidate) -> ReaderProblem? {
        guard let devices = try? bus.present().devices else { return nil }
        return ReaderProblem.twin(of: candidate.line.device, among: devices)
    }
}
