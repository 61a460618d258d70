internal import CLibUSB
import Synchronization
internal import Transport

/// Why a transfer was asked to end early.
enum CancelReason: Sendable {
    case deadline, task, closed
}

/// How a transfer came back.
struct TransferResult: Sendable {
    enum End: Sendable {
        case status(TransferStatus)
        case notSubmitted(LibUSBError)
        /// Ended before libusb had seen it.
        case neverStarted
    }

    var end: End
    /// Bytes moved; for control transfers without the eight setup bytes.
    var actual: Int
    var cancelReason: CancelReason?
}

/// One reusable transfer: idle → submitting → in flight → finished, and idle again when it is taken anew.
///
/// The callback is the only place that resumes a submitted transfer's waiter. Cancels are only remembered here; the
/// event thread, which also runs the callbacks, is the only caller of `libusb_cancel_transfer`, so a cancel can never
/// hit a transfer that has ended and been reused.
final class TransferSlot: Sendable {
    private typealias Waiter = UnsafeContinuation<TransferResult, Never>

    private enum Phase {
        case idle
        case submitting(Waiter)
        case inFlight(Waiter)
        case finished
    }

    private struct State {
        var phase = Phase.idle
        /// Counts uses, so that a late cancel of an earlier use is recognised.
        var generation: UInt64 = 0
        var deadline = MonotonicInstant(nanoseconds: .max)
        var cancelReason: CancelReason?
        var hasAskedLibUSB = false
    }

    let memory: TransferMemory
    private let state = Mutex(State())

    init(capacity: Int) throws(LibUSBError) {
        memory = try TransferMemory(capacity: capacity)
    }

    deinit {
        memory.free()
    }

    /// Makes a finished slot ready for its next use.
    func prepare(until deadline: Deadline) {
        state.withLock { state in
            state.generation &+= 1
            state.phase = .idle
            state.deadline = deadline.instant
            state.cancelReason = nil
            state.hasAskedLibUSB = false
        }
    }

    /// Submits the filled transfer and suspends until it has ended, whatever ends it.
    func run(on loop: EventLoop) async -> TransferResult {
        let generation = state.withLock { $0.generation }
        return await withTaskCancellationHandler {
            // Unsafe saves an allocation per transfer. Resumed exactly once: `start` resumes only what it has not handed
            // to libusb, and `finish` takes the waiter out of the state under the lock.
            await withUnsafeContinuation { start($0, generation, on: loop) }
        } onCancel: {
            requestCancel(.task, generation: generation, on: loop)
        }
    }

    /// Remembers that the transfer is to end; nil `generation` means the present use.
    func requestCancel(_ reason: CancelReason, generation: UInt64? = nil, on loop: EventLoop) {
        let needsEventThread = state.withLock { state in
            guard generation ?? state.generation == state.generation, state.cancelReason == nil else { return false }
            switch state.phase {
            case .finished: return false
            case .idle, .submitting:
                state.cancelReason = reason
                return false
            case .inFlight:
                state.cancelReason = reason
                return true
            }
        }
        if needsEventThread { loop.requestAttention() }
    }

    private func start(_ waiter: Waiter, _ generation: UInt64, on loop: EventLoop) {
        let isCancelled = state.withLock { state in
            guard state.cancelReason == nil else {
                state.phase = .finished
                return true
            }
            state.phase = .submitting(waiter)
            return false
        }
        if isCancelled {
            let reason = state.withLock { $0.cancelReason }
            return waiter.resume(returning: TransferResult(end: .neverStarted, actual: 0, cancelReason: reason))
        }

        // libusb holds a reference until the callback, so slot and buffer outlive the transfer.
        let reference = Unmanaged.passRetained(self)
        memory.transfer.pointee.user_data = reference.toOpaque()
        memory.transfer.pointee.callback = transferEnded
        let code = libusb_submit_transfer(memory.transfer)
        guard code == 0 else {
            reference.release()
            state.withLock { $0.phase = .finished }
            return waiter.resume(
                returning: TransferResult(end: .notSubmitted(LibUSBError(code: code)), actual: 0, cancelReason: nil))
        }

        // From here on the transfer may have ended, and the slot may be in its next use.
        let (deadline, needsEventThread) = state.withLock { state -> (MonotonicInstant?, Bool) in
            guard state.generation == generation, case .submitting(let waiter) = state.phase else {
                return (nil, false)
            }
            state.phase = .inFlight(waiter)
            return (state.deadline, state.cancelReason != nil)
        }
        if let deadline { loop.noteDeadline(deadline) }
        if needsEventThread { loop.requestAttention() }
    }

    /// Event thread only: asks libusb to end the transfer when its deadline has passed or a cancel was asked for.
    /// Returns the deadline that is still to come.
    func service(at now: MonotonicInstant) -> MonotonicInstant? {
        let (shallCancel, deadline) = state.withLock { state -> (Bool, MonotonicInstant?) in
            switch state.phase {
            case .idle, .finished: return (false, nil)
            // Its submitter will call again once libusb has it.
            case .submitting: return (false, nil)
            case .inFlight: break
            }
            if state.cancelReason == nil, state.deadline <= now { state.cancelReason = .deadline }
            guard state.cancelReason != nil else { return (false, state.deadline) }
            defer { state.hasAskedLibUSB = true }
            return (!state.hasAskedLibUSB, nil)
        }
        // NOT_FOUND and NO_DEVICE mean that the callback is on its way already.
        if shallCancel { libusb_cancel_transfer(memory.transfer) }
        return deadline
    }

    /// Event thread only, from the callback: reads the result, stores it, resumes.
    fileprivate func finish() {
        let status = TransferStatus(code: memory.transfer.pointee.status.rawValue)
        let actual = Int(memory.transfer.pointee.actual_length)
        let (waiter, reason) = state.withLock { state -> (Waiter?, CancelReason?) in
            defer { state.phase = .finished }
            switch state.phase {
            case .submitting(let waiter), .inFlight(let waiter): return (waiter, state.cancelReason)
            case .idle, .finished: return (nil, nil)
            }
        }
        waiter?.resume(returning: TransferResult(end: .status(status), actual: actual, cancelReason: reason))
    }
}

private func transferEnded(_ transfer: UnsafeMutablePointer<libusb_transfer>?) {
    guard let reference = transfer?.pointee.user_data else { return }
    Unmanaged<TransferSlot>.fromOpaque(reference).takeRetainedValue().finish()
}
