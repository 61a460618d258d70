import Glibc
import JSONText
import UMockdevBed

/// Serving until standard input ends or a signal comes.
enum Daemon {
    static func run(_ bus: MockBus) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return ExitStatus.mockFailed }
        let (signalled, signalling) = (ends[0], ends[1])
        let isWatching = BackgroundThread.start {
            var ending = Signals.set(Signals.ending)
            var signal: Int32 = 0
            sigwait(&ending, &signal)
            close(signalling)
        }
        guard isWatching else { return ExitStatus.mockFailed }
        announce(bus)
        var buffer = LineBuffer()
        while bus.failureReason == nil {
            var entries = [STDIN_FILENO, signalled].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            if poll(&entries, nfds_t(entries.count), 1000) < 0, errno != EINTR { return ExitStatus.mockFailed }
            if entries[1].revents != 0 { return 0 }
            if entries[0].revents != 0, !serveInput(&buffer, bus) { return 0 }
        }
        return ExitStatus.mockFailed
    }

    private static func announce(_ bus: MockBus) {
        let environment = bus.environment.map { JSONValue.Member($0.name, .string($0.value)) }
        let ready = JSONValue.object([
            "ready": true, "root": .string(bus.root), "environment": .object(environment),
        ])
        Output.line(ready.compactText)
    }

    /// False at the end of input.
    private static func serveInput(_ buffer: inout LineBuffer, _ bus: MockBus) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1024)
        let count = read(STDIN_FILENO, &chunk, chunk.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        guard let lines = buffer.append(chunk[..<count]) else {
            Output.message("a steering line is longer than \(LineBuffer.longestLine) bytes")
            return false
        }
        for line in lines {
            if let answer = Steering.answer(to: line, on: bus) { Output.line(answer) }
        }
        return true
    }
}
