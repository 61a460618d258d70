import Serial
import Transport

/// Joins a line that is no descriptor (a USB-serial chip over libusb, a simulated one) with a pipe of the relay's loop.
/// What the pipe does not take waits in the line, and the other way round.
enum LineFeed {
    /// One receive or send of the line, bytes; a multiple of every USB packet size.
    private static let chunk = 4096
    /// A wait without an end is made of these.
    private static let patience = Duration.seconds(600)

    /// Moves bytes until the line or the pipe ends or the task is cancelled, and closes both.
    ///
    /// - Parameter taken: told how many bytes the line has taken.
    static func run(
        _ line: any SerialLine, _ pipe: SocketPipe, clock: any MonotonicClock, taken: @escaping @Sendable (Int) -> Void
    ) async {
        await withTaskGroup { group in
            group.addTask { await move(from: line, to: pipe, clock) { _ in } }
            group.addTask { await move(from: pipe, to: line, clock, taken) }
            await group.next()
            group.cancelAll()
            await pipe.close()
            await line.close()
        }
    }

    private static func move(
        from source: any Transport, to sink: any Transport, _ clock: any MonotonicClock,
        _ taken: @Sendable (Int) -> Void
    ) async {
        while !Task.isCancelled {
            do throws(TransportError) {
                let bytes = try await source.receive(atMost: chunk, until: .after(patience, on: clock))
                try await sendAll(bytes, to: sink)
                taken(bytes.count)
            } catch {
                guard error.code == .timedOut else { return }
            }
        }
    }

    /// A send that is out of time may have sent a part, so it has to be one without a limit.
    private static func sendAll(_ bytes: [UInt8], to sink: any Transport) async throws(TransportError) {
        guard !bytes.isEmpty else { return }
        do throws(TransportError) {
            try await sink.send(bytes, until: Deadline(MonotonicInstant(nanoseconds: .max)))
        } catch {
            throw error.code == .timedOut ? TransportError(.failed, during: "send") : error
        }
    }
}
