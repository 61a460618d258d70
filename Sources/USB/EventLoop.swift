internal import CLibUSB
internal import Glibc
import Synchronization
internal import Transport

/// A libusb context. Unchecked: libusb's functions lock the context themselves ("Multi-threaded applications" in its
/// documentation); it is freed once, by the event thread as its last act.
struct LibUSBContextPointer: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// The one thread that handles libusb's events, enforces deadlines and sends cancels.
///
/// libusb's own time-outs are never used: it arms them as absolute times, which never come under a shifted clock.
final class EventLoop: Sendable {
    private struct State {
        var slots: [ObjectIdentifier: TransferSlot] = [:]
        /// When the thread looks at the slots next of its own accord. It may be earlier than any present deadline: a
        /// finished transfer's deadline stays, so that a run of short transfers does not wake the thread for each.
        var horizon = MonotonicInstant(nanoseconds: 0)
        var needsAttention = false
        var isStopping = false
        var waitingForStop: [CheckedContinuation<Void, Never>] = []
        var hasStopped = false
    }

    private static let idleWait = Duration.seconds(60)

    let context: LibUSBContextPointer
    private let state = Mutex(State())

    /// Takes over `context` and starts the thread, which keeps the loop alive until `stop()`.
    init(context: LibUSBContextPointer) throws(TransportError) {
        self.context = context
        try PlainThread.start(named: "usb events") { self.run() }
    }

    func add(_ slot: TransferSlot) {
        state.withLock { $0.slots[ObjectIdentifier(slot)] = slot }
    }

    func remove(_ slots: [TransferSlot]) {
        state.withLock { state in
            for slot in slots { state.slots[ObjectIdentifier(slot)] = nil }
        }
    }

    /// A transfer with this deadline is in flight: the thread must not sleep beyond it.
    func noteDeadline(_ deadline: MonotonicInstant) {
        state.withLock { state in
            guard deadline < state.horizon else { return }
            state.horizon = deadline
            wakeThread(state)
        }
    }

    /// A transfer in flight is to be cancelled.
    func requestAttention() {
        state.withLock { state in
            state.needsAttention = true
            wakeThread(state)
        }
    }

    /// Asks the thread to end, without waiting. Nothing may be in flight.
    func requestStop() {
        state.withLock { state in
            guard !state.isStopping else { return }
            wakeThread(state)
            state.isStopping = true
        }
    }

    /// Called under the lock, since the thread frees the context once it has seen `isStopping` there. (It writes to an
    /// eventfd and returns; libusb never calls back from it.)
    private func wakeThread(_ state: borrowing State) {
        guard !state.isStopping else { return }
        libusb_interrupt_event_handler(context.pointer)
    }

    /// Ends the thread and frees the context.
    func stop() async {
        await withCheckedContinuation { continuation in
            let hasStopped = state.withLock { state in
                if !state.hasStopped { state.waitingForStop.append(continuation) }
                return state.hasStopped
            }
            if hasStopped { continuation.resume() } else { requestStop() }
        }
    }

    private func run() {
        let clock = SystemMonotonicClock.shared
        while true {
            let now = clock.now()
            let (isStopping, slots) = state.withLock { state -> (Bool, [TransferSlot]) in
                guard state.needsAttention || state.horizon <= now else { return (state.isStopping, []) }
                state.needsAttention = false
                state.horizon = now.advanced(by: Self.idleWait)
                return (state.isStopping, Array(state.slots.values))
            }
            if isStopping { break }
            for slot in slots {
                guard let deadline = slot.service(at: now) else { continue }
                state.withLock { $0.horizon = min($0.horizon, deadline) }
            }
            handleEvents(for: now.duration(to: state.withLock { $0.horizon }))
        }
        libusb_exit(context.pointer)
        let waiting = state.withLock { state in
            state.hasStopped = true
            defer { state.waitingForStop = [] }
            return state.waitingForStop
        }
        for continuation in waiting { continuation.resume() }
    }

    private func handleEvents(for duration: Duration) {
        let microseconds = duration.wholeNanoseconds / 1_000 + 1
        var span = timeval(tv_sec: Int(microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
        let code = libusb_handle_events_timeout_completed(context.pointer, &span, nil)
        guard code != 0, code != LIBUSB_ERROR_INTERRUPTED.rawValue, code != LIBUSB_ERROR_TIMEOUT.rawValue else {
            return
        }
        // A broken event source must not become a busy loop.
        poll(nil, 0, 10)
    }
}
