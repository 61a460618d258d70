import JSONText
import Readers

/// `readerctl probe`.
struct ProbeCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    var endsOnInterrupt: Bool { arguments.has("--watch") }

    func run() async throws -> ExitStatus {
        let installation = try Installation(arguments)
        let source = try installation.makeReaderSource()
        let probe = ReaderProbe(source: source, clock: installation.clock)
        let status: ExitStatus
        do throws(ReaderError) {
            if arguments.has("--watch") {
                status = try await watch(probe, source)
            } else {
                let reports = try await probe.run()
                status = show(reports)
                if reports.isEmpty, arguments.has("--json") { console.error(ProbeText.nothingFound) }
            }
        } catch {
            await source.close()
            throw CommandFailure(ExitStatus(error), error.description)
        }
        await source.close()
        return status
    }

    /// The watch begins before the first look, so that nothing is missed between them.
    private func watch(_ probe: ReaderProbe, _ source: any ReaderSource) async throws(ReaderError) -> ExitStatus {
        let changes = try await source.changes()
        var shown: [ReaderReport]?
        func look() async throws(ReaderError) {
            let reports = try await probe.run()
            if reports != shown { _ = show(reports) }
            shown = reports
        }
        try await look()
        for await _ in changes {
            if Task.isCancelled { break }
            try await look()
        }
        return .done
    }

    private func show(_ reports: [ReaderReport]) -> ExitStatus {
        if arguments.has("--json") {
            console.print(ProbeJSON.document(reports))
        } else {
            console.print(ProbeText.document(reports), terminator: "")
        }
        if reports.contains(where: { $0.state == .ready }) { return .done }
        return reports.isEmpty ? .noReader : .readerUnusable
    }
}
