import EMV
import Readers
import Transport

/// Exchanges APDUs with the one reader that is plugged in, through the driver: `readerbench COUNT` prints nanoseconds per
/// exchange. Its counterpart in plain C is `bench/plain/ccid_plain.c`.
@main
enum ReaderBench {
    static func main() async throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1000
        // As the payments of `readerctl`: on the threads that tasks share, not on the main one.
        try await Task.detached { try await measure(count) }.value
    }

    private static func measure(_ count: Int) async throws {
        let clock = SystemMonotonicClock.shared
        let source = USBReaderSource(clock: clock)
        guard let found = try await source.scan().first else { throw ReaderError(.notFound, during: "measuring") }
        let deadline = Deadline.after(.seconds(120), on: clock)
        guard case .channel(let reader) = try await source.open(found, until: deadline) else {
            throw ReaderError(.unsupported, during: "measuring")
        }
        _ = try await reader.powerOnCard(until: deadline)
        let getData = CommandAPDU(cla: 0x80, ins: 0xCA, p1: 0x9F, p2: 0x36, expectedLength: 256)
        for _ in 0..<50 { _ = try await reader.transmit(getData, until: deadline) }
        let start = clock.now()
        for _ in 0..<count { _ = try await reader.transmit(getData, until: deadline) }
        let elapsed = start.duration(to: clock.now()).wholeNanoseconds
        print(elapsed / UInt64(max(count, 1)))
        await reader.close()
        await source.close()
    }
}
