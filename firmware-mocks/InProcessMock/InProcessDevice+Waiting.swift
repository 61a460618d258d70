import FirmwareCores
import Transport

extension InProcessDevice {
    /// A waiter's name in the state.
    typealias Ticket = UInt64

    func makeTicket() -> Ticket {
        withState { state in
            defer { state.nextTicket &+= 1 }
            return state.nextTicket
        }
    }

    /// The waiter has what it wanted. Another one may now be the first in line for the clock.
    func retire(_ ticket: Ticket) {
        wakeAll { $0.wakeTimes[ticket] = nil }
    }

    /// Wakes every waiter after a change that leaves no completion behind.
    func wakeAll(_ change: (inout State) -> Void) {
        let awake = withState { state in
            change(&state)
            return Self.wakeAll(&state)
        }
        for sleeper in awake { sleeper.resume() }
    }

    /// Lets the device do what is due by now. Answers the version to hand to `pause`: whatever changes after this call
    /// ends the pause at once.
    func advance() -> UInt64 {
        let now = coreTime()
        return withState { state in
            state.device.advance(to: now)
            return state.version
        }
    }

    /// Suspends until something changed since `version`, the device has something to do, the deadline passes or the task
    /// is cancelled; it may also end for no reason. The caller looks again.
    ///
    /// Only the waiter whose time comes first sleeps on the clock: a virtual clock jumps when it is slept on, and must not
    /// jump over what another waiter is about to get.
    func pause(_ ticket: Ticket, version: UInt64, until deadline: Deadline?) async {
        guard let wake = enlist(ticket, until: deadline) else {
            return await sleep(ticket, unless: version)
        }
        let clock = clock
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await clock.sleep(until: wake) }
            group.addTask { await self.sleep(ticket, unless: version) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Notes when this waiter will look again. Answers that instant when it comes before every other waiter's.
    private func enlist(_ ticket: Ticket, until deadline: Deadline?) -> MonotonicInstant? {
        withState { state in
            let due = state.device.nextDue.map { start.advanced(by: $0) }
            guard let wake = [due, deadline?.instant].compactMap(\.self).min() else {
                state.wakeTimes[ticket] = nil
                return nil
            }
            state.wakeTimes[ticket] = wake
            let isFirst = !state.wakeTimes.contains { other, time in
                time < wake || (time == wake && other < ticket)
            }
            return isFirst ? wake : nil
        }
    }

    private func sleep(_ ticket: Ticket, unless version: UInt64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = withState { state in
                    // A cancel that came before the continuation was stored found nothing to resume.
                    if state.version != version || Task.isCancelled { return true }
                    state.sleepers[ticket] = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            withState { $0.sleepers.removeValue(forKey: ticket) }?.resume()
        }
    }
}
