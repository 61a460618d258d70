public import FirmwareCores
import Synchronization
public import Transport

/// Runs a serial firmware at one end of a cable, such as the controlling end of a pseudo terminal: whatever opens the other
/// end talks to it as to a reader on a serial line. The system's monotonic clock is its clock.
///
/// End it with `close()`, which closes the cable too.
public final class SerialFirmwareHost: Sendable {
    private let cable: any Transport
    private let clock: any MonotonicClock
    private let start: MonotonicInstant
    private let state: Mutex<State>

    private struct State {
        var firmware: any SerialFirmware
        /// What steering has brought and nobody has sent yet.
        var waiting: [SerialEffect] = []
        var run: Task<Void, Never>?
    }

    /// How long a steering command may have to wait.
    private static let turn = Duration.milliseconds(10)
    private static let sendTimeout = Duration.seconds(1)
    private static let readLength = 4096

    /// Takes over the cable.
    public init(
        _ firmware: sending any SerialFirmware, over cable: any Transport,
        clock: any MonotonicClock = SystemMonotonicClock.shared
    ) {
        self.cable = cable
        self.clock = clock
        start = clock.now()
        state = Mutex(State(firmware: firmware))
        let run = Task { await self.run() }
        state.withLock { $0.run = run }
    }

    /// A steering command; answers nil on success, else what was wrong.
    public func steer(_ command: String) -> String? {
        state.withLock { state in
            let (complaint, effects) = state.firmware.steer(command, at: time())
            state.waiting += effects
            return complaint
        }
    }

    /// Looks at the firmware under the lock. Keep it short.
    public func withFirmware<Result: Sendable>(_ body: (any SerialFirmware) -> Result) -> Result {
        state.withLock { body($0.firmware) }
    }

    /// Ends with the cable closed. May be called more than once.
    public func close() async {
        await cable.close()
        await state.withLock { $0.run }?.value
    }

    private func run() async {
        while true {
            let effects = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting + state.firmware.advance(to: time())
            }
            do throws(TransportError) {
                try await carryOut(effects)
                let due = state.withLock { $0.firmware.nextDue }.map { Deadline(start.advanced(by: $0)) }
                let turn = Deadline.after(Self.turn, on: clock)
                let bytes = try await cable.receive(atMost: Self.readLength, until: due.map { min($0, turn) } ?? turn)
                try await carryOut(state.withLock { $0.firmware.receive(bytes, at: time()) })
            } catch {
                guard error.code == .timedOut else { return }
            }
        }
    }

    /// Bytes that nobody takes are lost, as on a real line.
    private func carryOut(_ effects: [SerialEffect]) async throws(TransportError) {
        for effect in effects {
            switch effect {
            case .bytes(let bytes): try await cable.send(bytes, until: .after(Self.sendTimeout, on: clock))
            case .unplug: await cable.close()
            case .plug: break
            }
        }
    }

    private func time() -> Duration { start.duration(to: clock.now()) }
}
