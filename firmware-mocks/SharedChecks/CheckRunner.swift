internal import Transport

/// How a check ended.
public enum CheckOutcome: Sendable, Hashable {
    case passed
    case failed(String)
    case skipped(String)

    /// The result line, which is all that a run is judged by.
    public func line(for name: String) -> String {
        switch self {
        case .passed: "ok \(name)"
        case .failed(let reason): "FAIL \(name) \(reason)"
        case .skipped(let reason): "skip \(name) \(reason)"
        }
    }
}

extension NamedCheck {
    /// Runs the check within its bound. When the bound is over, the body's task is cancelled and awaited.
    public func run(in session: CheckSession) async -> CheckOutcome {
        let clock = session.bench.clock
        guard rungs.contains(session.bench.rung) else {
            return .skipped("does not apply to rung \(session.bench.rung.rawValue)")
        }
        let end = Deadline.after(bound, on: clock)
        return await withTaskGroup(of: CheckOutcome?.self) { group in
            group.addTask { await attempt(session) }
            group.addTask {
                await clock.sleep(until: end.instant)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            let second = await group.next() ?? nil
            return first ?? .failed("not done after \(bound); then: \(second?.line(for: name) ?? "nothing")")
        }
    }

    private func attempt(_ session: CheckSession) async -> CheckOutcome {
        do {
            try await body(session)
            return .passed
        } catch let skip as CheckSkip {
            return .skipped(skip.description)
        } catch {
            // The next check begins with a connection of its own.
            await session.disconnect()
            return .failed("\(error)")
        }
    }
}
