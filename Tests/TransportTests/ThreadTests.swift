import Synchronization
import Testing
import Transport

@Suite("Threads for blocking work", .timeLimit(.minutes(1)))
struct ThreadTests {
    @Test("a worker runs its jobs one at a time and in order")
    func order() async throws {
        let worker = try BlockingWorker(named: "test worker")
        let logged = Log()
        for number in 0..<100 { worker.enqueue { logged.append(number) } }
        #expect(await worker.run { 42 } == 42)
        #expect(logged.all == Array(0..<100))
        worker.stop()
    }

    @Test("a woken pipe ends the wait, and only once")
    func pipe() throws {
        let pipe = try WakePipe()
        pipe.wake()
        pipe.wake()
        let first = pipe.wait(atMost: nil)
        // Drained: a wait without time finds nothing, and no other descriptor is ready either.
        let second = pipe.wait(atMost: .zero)
        #expect(!first && !second)
    }

    @Test("a wait reports another descriptor that has something to say")
    func alongside() throws {
        let pipe = try WakePipe()
        let other = try WakePipe()
        other.wake()
        let woken = pipe.wait(alongside: other.readEnd, atMost: nil)
        other.drain()
        let quiet = !pipe.wait(alongside: other.readEnd, atMost: .zero)
        #expect(woken && quiet)
    }

    private final class Log: Sendable {
        private let numbers = Mutex<[Int]>([])

        func append(_ number: Int) {
            numbers.withLock { $0.append(number) }
        }

        var all: [Int] { numbers.withLock { $0 } }
    }
}
