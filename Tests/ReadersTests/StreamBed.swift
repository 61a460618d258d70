import EMV
import FirmwareCores
import Money
import Synchronization
import Testing
import Transport

@testable import InProcessMock
@testable import Readers

/// A mock reader at the far end of a byte stream, on a virtual clock, and what the host sent to it.
final class StreamBed: Sendable {
    let clock = VirtualClock()
    let device: InProcessDevice
    private let sent = Mutex<[[UInt8]]>([])
    private let told = Mutex<[CardholderPrompt]>([])
    /// Steering commands by the number of the send after which they come.
    private let plans = Mutex<[Int: String]>([:])
    private let cancellation = Mutex<(number: Int, cancel: @Sendable () -> Void)?>(nil)

    init(_ firmware: sending any SerialFirmware) {
        device = InProcessDevice(serial: firmware, clock: clock)
        device.onTransfer { [weak self] note in
            guard let self else { return .pass }
            if note.kind == .out, note.moment == .submitted {
                self.sent.withLock { $0.append(note.bytes) }
                if let command = self.plans.withLock({ $0.removeValue(forKey: note.number) }) { return .steer(command) }
            }
            if note.kind == .in, note.moment == .submitted { self.cancelIfDue() }
            return .pass
        }
    }

    /// Each piece that the host sent.
    var pieces: [[UInt8]] { sent.withLock { $0 } }
    /// What the person was told, in order.
    var prompts: [CardholderPrompt] { told.withLock { $0 } }
    var prompt: @Sendable (CardholderPrompt) -> Void {
        { [self] prompt in told.withLock { $0.append(prompt) } }
    }

    /// Gives the reader a steering command when the host sends its N-th piece from now.
    func plan(_ command: String, atSend number: Int) {
        plans.withLock { $0[pieces.count + number] = command }
    }

    /// Runs a task that is cancelled while it waits for the answer to the N-th piece from now.
    func cancelling<Value: Sendable>(
        afterSend number: Int, _ body: @escaping @Sendable () async -> Value
    ) async -> Value {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in gate {}
            return await body()
        }
        let place = pieces.count + number
        cancellation.withLock { $0 = (place, { task.cancel() }) }
        opening.finish()
        return await task.value
    }

    private func cancelIfDue() {
        let count = pieces.count
        let due = cancellation.withLock { cancellation -> (@Sendable () -> Void)? in
            guard let planned = cancellation, count >= planned.number else { return nil }
            cancellation = nil
            return planned.cancel
        }
        due?()
    }

    var hasTransfersInFlight: Bool { device.withState { $0.device.hasPendingTransfers } }

    func steer(_ command: String) {
        #expect(device.steer(command) == nil)
    }

    func after(_ seconds: Int) -> Deadline { .after(.seconds(seconds), on: clock) }

    /// Virtual time that an operation takes.
    func duration(of operation: () async throws -> Void) async rethrows -> Duration {
        let start = clock.now()
        try await operation()
        return start.duration(to: clock.now())
    }

    /// The code of the error that an operation must end with.
    func code(of operation: () async throws -> Void) async -> ReaderError.Code? {
        do {
            try await operation()
            return nil
        } catch {
            return (error as? ReaderError)?.code
        }
    }

    static let payment = payment()

    static func payment(
        _ kind: ReaderPayment.Kind = .purchase, minorUnits: Int64 = 11_500,
        interfaces: Set<CardInterface> = Set(CardInterface.allCases), isFallbackAllowed: Bool = false
    ) -> ReaderPayment {
        ReaderPayment(
            kind: kind, amount: Amount(minorUnits: minorUnits, currency: .mxn) ?? .zero(.mxn),
            time: TransactionTime(year: 2026, month: 11, day: 30, hour: 12, minute: 34, second: 56),
            interfaces: interfaces, isFallbackAllowed: isFallbackAllowed)
    }

    static let approval = HostAnswer.answered(
        responseCode: Array("00".utf8), isApproved: true, issuerData: [])
    static let refusal = HostAnswer.answered(
        responseCode: Array("05".utf8), isApproved: false, issuerData: [])
}

extension ReaderStop {
    /// A name for tests: the account stays out of them.
    var name: String {
        switch self {
        case .applicationChoice(let labels): "choice of \(labels.joined(separator: ", "))"
        case .online(let reading): "online, \(reading.entry.rawValue)"
        case .approved: "approved"
        case .declined: "declined"
        case .ended(let reason): reason.rawValue
        }
    }
}
