import JSONText
import Readers
import Transport

/// `readerctl probe`.
struct ProbeCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    var endsOnInterrupt: Bool { arguments.has("--watch") }

    func run() async throws -> ExitStatus {
        let installation = try Installation(arguments)
        let source = try installation.makeReaderSource()
        let status: ExitStatus
        do throws(ReaderError) {
            if arguments.has("--watch") {
                status = try await watch(installation.clock, source)
            } else {
                let reports = try await ReaderProbe(source: source, clock: installation.clock).run()
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

    /// One document for each change; of several that come while one is printed, the last.
    private func watch(_ clock: any MonotonicClock, _ source: any ReaderSource) async throws(ReaderError) -> ExitStatus
    {
        let states = ReaderStates(clock: clock)
        let watch = try await ReaderWatch.start(
            source, states: states, clock: clock, looksAgain: true,
            recheck: ReaderWatch.Recheck(every: .seconds(5), on: clock))
        let outcome = await withTaskGroup(of: Result<Void, ReaderError>.self) { group in
            group.addTask {
                defer { states.close() }
                do throws(ReaderError) {
                    return .success(try await watch.follow())
                } catch {
                    return .failure(error)
                }
            }
            for await roster in states.rosters() { show(roster) }
            group.cancelAll()
            return await group.next() ?? .success(())
        }
        try outcome.get()
        return .done
    }

    private func show(_ roster: ReaderRoster) {
        if arguments.has("--json") {
            console.print(ProbeJSON.document(roster))
        } else {
            console.print(ProbeText.document(roster), terminator: "")
        }
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
