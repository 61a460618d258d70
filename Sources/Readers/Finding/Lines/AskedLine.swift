import Synchronization
import Transport

/// A serial line that a reader may be at.
protocol AskedLine: Sendable {
    var id: String { get }
    var reason: LineReason { get }
    /// The node that is opened.
    var node: String { get }
    /// Nil: to be found out by asking.
    var family: ReaderFamily? { get }
    var speed: BaudRate { get }

    func found(as family: ReaderFamily?) -> FoundReader

    /// What a configuration has to say of it.
    func entry(_ finding: TTYSpeedSearch.Finding) -> String
}

/// Why a line may be opened.
enum LineReason: Sendable, Hashable {
    /// The configuration names it.
    case configured
    /// The catalogue knows its USB device.
    case catalogue
    /// Everything is to be asked.
    case intrusive
}

/// Readers at serial lines, whatever opens these.
protocol LineReaderSource: Sendable {
    associatedtype Line: AskedLine

    var clock: any MonotonicClock { get }
    var findings: LineFindings { get }

    func openLine(_ line: Line, until deadline: Deadline) async throws(ReaderError) -> any SerialLine
}

/// What an intrusive search has found, by the ids of the lines.
final class LineFindings: Sendable {
    private let findings = Mutex<[String: TTYSpeedSearch.Finding]>([:])

    subscript(id: String) -> TTYSpeedSearch.Finding? {
        get { findings.withLock { $0[id] } }
        set { findings.withLock { $0[id] = newValue } }
    }
}

extension LineReaderSource {
    static var opening: String { "opening the reader" }

    /// The readers at these lines. Those that are there because everything is to be asked are asked.
    func readers(at lines: [Line]) async -> [FoundReader] {
        var found: [FoundReader] = []
        for line in lines {
            var family = line.family
            if line.reason == .intrusive {
                let finding = await search(line)
                findings[line.id] = finding
                family = finding?.family
            }
            found.append(line.found(as: family))
        }
        return found.sorted { $0.id < $1.id }
    }

    /// - Parameter isUSBFunction: the reader itself is the USB device, with a CDC-ACM function.
    func openReader(
        _ reader: FoundReader, at line: Line, isUSBFunction: Bool, until deadline: Deadline
    ) async throws(ReaderError) -> OpenedReader {
        guard let family = reader.family, family != .ccid else {
            throw ReaderError(reader.family == nil ? .silent : .unsupported, during: Self.opening)
        }
        let line = try await openLine(line, until: deadline)
        switch family {
        case .neo2:
            return .kernel(
                try await NEO2Reader.open(line, form: .stream, model: reader.model, clock: clock, until: deadline))
        case .mpi:
            return .kernel(
                try await MPIReader.open(
                    line, form: isUSBFunction ? .usb : .serial, model: reader.model, clock: clock, until: deadline))
        case .qpos, .ccid:
            return .kernel(try await QPOSReader.open(line, model: reader.model, clock: clock, until: deadline))
        }
    }

    /// Asks at a line who is there. Nil when it cannot be opened, too: opening the reader will tell why.
    func search(
        _ line: Line, _ families: [ReaderFamily] = TTYSpeedSearch.families,
        _ speeds: [BaudRate] = TTYSpeedSearch.speeds
    ) async -> TTYSpeedSearch.Finding? {
        let deadline = Deadline.after(.seconds(2), on: clock)
        guard let opened = try? await openLine(line, until: deadline) else { return nil }
        let finding = try? await TTYSpeedSearch(line: opened, clock: clock).find(families, at: speeds)
        await opened.close()
        return finding ?? nil
    }

    func explainSilence(of reader: FoundReader, at line: Line) async -> ReaderProblem {
        guard let family = reader.family else { return TTYProblems.unknown(line) }
        var finding = findings[line.id]
        if finding == nil {
            finding = await search(line, [family], TTYSpeedSearch.speeds.filter { $0 != line.speed })
        }
        guard let finding, finding.speed != line.speed else { return TTYProblems.silent(line) }
        return TTYProblems.wrongSpeed(line, finding)
    }

    /// Of a reader that would not be used, since nobody has named it.
    func notConfigured(_ line: Line) -> ReaderProblem? {
        guard line.reason == .intrusive, let finding = findings[line.id], finding.speed == line.speed else {
            return nil
        }
        return TTYProblems.notConfigured(line, finding)
    }
}
