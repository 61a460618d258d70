public import Transport

/// Looks at every reader: what it is, whether it can be used, and if not, what to do about it.
public struct ReaderProbe: Sendable {
    /// How long one reader may take.
    static let timeout = Duration.seconds(5)

    private let source: any ReaderSource
    private let clock: any MonotonicClock

    public init(source: any ReaderSource, clock: any MonotonicClock) {
        self.source = source
        self.clock = clock
    }

    public func run() async throws(ReaderError) -> [ReaderReport] {
        var reports: [ReaderReport] = []
        for reader in try await source.scan() {
            reports.append(await probe(reader))
        }
        return reports
    }

    /// Looks at one reader; it is opened for that, and closed again.
    public func probe(_ reader: FoundReader) async -> ReaderReport {
        let inspection = await source.inspect(reader)
        func report(
            _ state: ReaderReport.State, card: CardPresence = .unknown, heldBy: String? = nil,
            _ more: [ReaderProblem] = []
        ) -> ReaderReport {
            ReaderReport(
                reader: reader, state: state, card: card, firmware: inspection.firmware,
                capabilities: inspection.capabilities, heldBy: heldBy, problems: inspection.problems + more)
        }
        if inspection.problems.contains(where: { $0.code == .unsupported }) { return report(.unsupported) }
        let deadline = Deadline.after(Self.timeout, on: clock)
        do throws(ReaderError) {
            let opened = try await source.open(reader, until: deadline)
            let presence: CardPresence
            do throws(ReaderError) {
                presence = try await Self.presence(in: opened, until: deadline)
            } catch {
                await opened.reader.close()
                throw error
            }
            await opened.reader.close()
            return report(.ready, card: presence)
        } catch {
            let holder = error.code == .busy ? await source.holder(of: reader) : nil
            if error.code == .silent, let explanation = await source.explainSilence(of: reader) {
                return report(explanation.code == .unknownDevice ? .unsupported : .fault, [explanation])
            }
            return report(Self.state(error), heldBy: holder, [Self.problem(error, inspection, heldBy: holder)])
        }
    }

    /// A reader that runs EMV itself is not asked: it tells of a card only in a payment.
    private static func presence(
        in opened: OpenedReader, until deadline: Deadline
    ) async throws(ReaderError) -> CardPresence {
        switch opened {
        case .channel(let reader): try await reader.cardPresence(until: deadline)
        case .kernel: .unknown
        }
    }

    private static func state(_ error: ReaderError) -> ReaderReport.State {
        switch error.code {
        case .accessDenied: .denied
        case .busy: .busy
        case .unsupported: .unsupported
        default: .fault
        }
    }

    private static func problem(
        _ error: ReaderError, _ inspection: ReaderInspection, heldBy: String?
    ) -> ReaderProblem {
        switch error.code {
        case .busy:
            let isKernel = heldBy?.hasPrefix(ReaderProblem.kernelDriver) ?? false
            return (isKernel ? inspection.kernelDriver : nil) ?? .held(by: heldBy)
        case .accessDenied:
            return inspection.denial
                ?? ReaderProblem(
                    .accessDenied, message: "Access to the reader is denied.",
                    fix: "Install udev/\(UdevRules.fileName) and join the group \(ReaderCatalogue.group).")
        default:
            return ReaderProblem(error)
        }
    }
}
