import Glibc
import NetworkTransport
import Serial
import Synchronization
import Transport

/// Lets one TCP client in at a time. The next one is told why it has to go.
final class ClientDoor: Sendable {
    private struct State: Sendable {
        var isTaken = false
        /// Sockets of those who were refused and may still be reading why.
        var leaving: Set<Int32> = []
    }

    static let refusal = "readerctl bridge: another program is using this reader. One at a time: try again later.\r\n"
    /// How long a refused client has for reading the sentence, and how many may do so at a time.
    private static let farewellTime = Duration.seconds(1)
    private static let farewells = 16

    private let state = Mutex(State())
    private let clock: any MonotonicClock

    init(clock: any MonotonicClock) {
        self.clock = clock
    }

    /// True for whoever may come in.
    func enter() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    func leave() {
        state.withLock { $0.isTaken = false }
    }

    /// Says the sentence and closes. What the client has sent is read first: a close would take the sentence back.
    func refuse(_ socket: Int32) {
        let sentence = Array(Self.refusal.utf8)
        _ = send(socket, sentence, sentence.count, Int32(MSG_NOSIGNAL))
        shutdown(socket, Int32(SHUT_WR))
        let mayLinger = state.withLock { state in
            guard state.leaving.count < Self.farewells else { return false }
            return state.leaving.insert(socket).inserted
        }
        guard mayLinger else {
            close(socket)
            return
        }
        let clock = clock
        Task {
            let deadline = Deadline.after(Self.farewellTime, on: clock)
            while !deadline.hasPassed(on: clock), Self.isStillThere(socket) {
                await clock.sleep(until: clock.now().advanced(by: .milliseconds(20)))
            }
            state.withLock { _ = $0.leaving.remove(socket) }
            close(socket)
        }
    }

    private static func isStillThere(_ socket: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // A few at a time: whoever goes on sending is not listened to for longer.
        for _ in 0..<16 {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count == 0 { return false }
            if count < 0 { return errno == EAGAIN || errno == EINTR }
        }
        return true
    }
}
