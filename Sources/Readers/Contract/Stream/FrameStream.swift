import ReaderWire
import Synchronization
import Transport

/// A byte stream cut into frames: what readers on serial lines, CDC-ACM and sockets have in common. Called by one operation
/// at a time.
final class FrameStream: Sendable {
    static let sendTimeout = Duration.seconds(2)
    /// A frame whose bytes stop coming is given up after this time.
    static let byteTimeout = Duration.milliseconds(500)
    /// A stream is quiet when nothing has come for this long.
    static let quietTime = Duration.milliseconds(50)
    /// The same between two commands whose answers could be mistaken for each other.
    static let shortQuietTime = Duration.milliseconds(3)
    /// A stream that is not quiet by then never will be.
    static let drainTimeout = Duration.seconds(1)
    /// Reads within one command after which the reader counts as mad.
    static let maximumReads = 20_000
    private static let readLength = 4096

    let transport: any Transport
    let clock: any MonotonicClock
    private let format: FrameFormat
    private let state: Mutex<State>

    private struct State {
        var deframer: Deframer
        var lastByteAt = MonotonicInstant(nanoseconds: 0)
    }

    init(_ format: FrameFormat, over transport: any Transport, clock: any MonotonicClock) {
        self.transport = transport
        self.clock = clock
        self.format = format
        state = Mutex(State(deframer: Deframer(format)))
    }

    func send(_ bytes: [UInt8], _ operation: String) async throws(ReaderError) {
        do throws(TransportError) {
            try await transport.send(bytes, until: .after(Self.sendTimeout, on: clock))
        } catch {
            throw ReaderError(error, during: operation)
        }
    }

    /// The frames and the noise of the next piece; empty while no frame is whole; nil when the time is over.
    /// - Parameters:
    ///   - soft: when to stop waiting for a frame that has not begun. One that has is waited for while its bytes come.
    ///   - hard: when to stop in any case.
    func receive(
        _ operation: String, until soft: Deadline, atMost hard: Deadline
    ) async throws(ReaderError) -> [OwnedFrameEvent]? {
        let limit = state.withLock { state -> Deadline in
            guard state.deframer.heldCount > 0 else { return min(soft, hard) }
            return min(max(soft, Deadline(state.lastByteAt.advanced(by: Self.byteTimeout))), hard)
        }
        do throws(TransportError) {
            return take(try await transport.receive(atMost: Self.readLength, until: limit))
        } catch {
            let events = take(error.partial)
            if !events.isEmpty { return events }
            guard error.code == .timedOut else { throw ReaderError(error, during: operation) }
            let hidden = state.withLock { $0.deframer.heldCount > 0 ? $0.deframer.finish() : [] }
            return hidden.isEmpty ? nil : hidden
        }
    }

    private func take(_ bytes: [UInt8]) -> [OwnedFrameEvent] {
        guard !bytes.isEmpty else { return [] }
        let now = clock.now()
        return state.withLock { state in
            state.lastByteAt = now
            return state.deframer.feed(bytes)
        }
    }

    /// Reads and drops until the stream has been quiet for a while.
    /// - Throws: `.protocolViolation` when it does not become quiet.
    func drain(_ operation: String, quiet: Duration = FrameStream.quietTime) async throws(ReaderError) {
        let end = Deadline.after(Self.drainTimeout, on: clock)
        for _ in 0..<Self.maximumReads where !end.hasPassed(on: clock) {
            do throws(TransportError) {
                _ = try await transport.receive(atMost: Self.readLength, until: .after(quiet, on: clock))
            } catch {
                guard error.code == .timedOut else { throw ReaderError(error, during: operation) }
                state.withLock { $0.deframer = Deframer(format) }
                return
            }
        }
        throw ReaderError(.protocolViolation, during: operation, detail: "the reader does not stop sending")
    }
}

/// Runs in a task of its own, so that a cancel of the caller does not cut short what must come to its end.
func shielded<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(ReaderError) -> Value
) async throws(ReaderError) -> Value {
    let work = Task { () -> Result<Value, ReaderError> in
        do throws(ReaderError) {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
    return try await work.value.get()
}
