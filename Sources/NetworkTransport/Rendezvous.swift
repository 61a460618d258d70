import Synchronization
public import Transport

/// One value that one task waits for and anybody may bring. The first of value, deadline and cancel decides; a value that
/// is there wins over both.
public final class Rendezvous<Value: Sendable>: Sendable {
    public enum Ending: Sendable {
        case value(Value)
        case timedOut
        case cancelled
    }

    private enum State {
        case open
        case awaited(CheckedContinuation<Ending, Never>)
        case ended(Ending)
    }

    private let state = Mutex(State.open)

    public init() {}

    /// Brings the value. False when it has ended otherwise before.
    @discardableResult
    public func settle(_ value: Value) -> Bool {
        end(.value(value))
    }

    /// Waits for the value. Called once. Nil waits without a limit.
    public func wait(until deadline: Deadline?, on clock: any MonotonicClock) async -> Ending {
        let alarm = deadline.map { deadline in
            Task {
                await clock.sleep(until: deadline.instant)
                if !Task.isCancelled { self.end(.timedOut) }
            }
        }
        defer { alarm?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ending: Ending? = state.withLock { state in
                    if case .ended(let ending) = state { return ending }
                    state = .awaited(continuation)
                    return nil
                }
                if let ending { continuation.resume(returning: ending) }
            }
        } onCancel: {
            end(.cancelled)
        }
    }

    @discardableResult
    private func end(_ ending: Ending) -> Bool {
        let (isFirst, continuation): (Bool, CheckedContinuation<Ending, Never>?) = state.withLock { state in
            switch state {
            case .open:
                state = .ended(ending)
                return (true, nil)
            case .awaited(let continuation):
                state = .ended(ending)
                return (true, continuation)
            case .ended:
                return (false, nil)
            }
        }
        continuation?.resume(returning: ending)
        return isFirst
    }
}
