import InProcessMock
import Payments
import Synchronization
import Testing
import Transport

/// Cancels a sale from outside at a given command.
enum MatrixCancel {
    enum Moment: String, Sendable, CaseIterable {
        /// Before the command is on its way.
        case command
        /// When its answer has come: the answer wins.
        case answer
    }

    static func sale(on bench: MatrixBench, at frame: Int, _ moment: Moment) async throws -> MatrixRun {
        let (startOut, startIn) = (bench.device.transfers(.out), bench.device.transfers(.in))
        let canceller = Canceller()
        bench.device.onTransfer { note in
            switch (moment, note.kind, note.moment) {
            case (.command, .out, .submitted) where note.number == startOut + frame: canceller.cancel()
            case (.answer, .in, .done) where note.number == startIn + frame: canceller.cancel()
            default: break
            }
            return .pass
        }
        defer { bench.device.onTransfer(nil) }
        return try await sale(
            on: bench, canceller, what: "cancel at the \(moment.rawValue) of frame \(frame)", progress: { _ in })
    }

    /// - Parameter step: cancelled when the person at the kiosk is told this.
    static func sale(on bench: MatrixBench, at step: PaymentProgress) async throws -> MatrixRun {
        let canceller = Canceller()
        return try await sale(on: bench, canceller, what: "cancel at \(step.rawValue)") {
            if $0 == step { canceller.cancel() }
        }
    }

    private static func sale(
        on bench: MatrixBench, _ canceller: Canceller, what: Comment,
        progress: @escaping @Sendable (PaymentProgress) -> Void
    ) async throws -> MatrixRun {
        let start = bench.clock.now()
        let task = Task {
            await canceller.ready()
            return try await bench.sale(progress: progress)
        }
        canceller.begin { task.cancel() }
        let result = try await task.value
        return MatrixRun(
            bench: bench, result: result, what: what, duration: start.duration(to: bench.clock.now()))
    }
}

/// Lets a task begin only when there is a way to cancel it.
private final class Canceller: Sendable {
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    func begin(_ action: @escaping @Sendable () -> Void) {
        self.action.withLock { $0 = action }
    }

    func ready() async {
        while action.withLock({ $0 == nil }) { await Task.yield() }
    }

    func cancel() {
        action.withLock { $0 }?()
    }
}

/// Remembers a number from inside a callback.
final class FrameCounter: Sendable {
    private let number = Mutex(0)

    var noted: Int { number.withLock { $0 } }

    func note(_ value: Int) {
        number.withLock { $0 = value }
    }
}
