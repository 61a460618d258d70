import Foundation
import Gateways
import Glibc
import Money
import Synchronization
import Testing
import Transport

/// The simulated host's book on disk, shared by simulators as by processes.
@Suite struct StoredBookTests {
    @Test("a refund that comes through another simulator finds the sale, and the two books agree")
    func shared() async throws {
        let file = TemporaryBook()
        let (till, desk) = (try file.host(), try file.host())
        let sale = try SampleRequest.chip(.visa10)
        _ = try await till.gateway.authorise(sale, until: till.soon)
        let refund = try SampleRequest.refund("100.00", of: sale.attempt.text, attempt: "r-1")
        let answer = try await desk.gateway.refund(refund, until: desk.soon)
        #expect(answer.responseCode.isApproved)
        #expect(answer.bank != nil)
        let tooMuch = try SampleRequest.refund("100.00", of: sale.attempt.text, attempt: "r-2")
        #expect(try await till.gateway.refund(tooMuch, until: till.soon).responseCode == .invalidAmount)
        #expect(try await desk.gateway.status(of: sale.attempt, until: desk.soon) != .notFound)
        #expect(desk.total == 23_45)
        #expect(till.total == 23_45)
    }

    @Test("an attempt repeated through another simulator gets the same answer and is booked once")
    func repeated() async throws {
        let file = TemporaryBook()
        let (first, second) = (try file.host(), try file.host())
        let request = try SampleRequest.stripe("20.00")
        let answer = try await first.gateway.authorise(request, until: first.soon)
        #expect(try await second.gateway.authorise(request, until: second.soon) == answer)
        #expect(second.total == 20_00)
    }

    @Test("a reversal is remembered, also of an attempt that never arrived")
    func reversed() async throws {
        let file = TemporaryBook()
        let first = try file.host()
        let request = try SampleRequest.stripe("20.00")
        #expect(
            try await first.gateway.reverse(SampleRequest.reversal("20.00", of: "a-1"), until: first.soon)
                == .nothingToReverse)
        let second = try file.host()
        let late = try await second.gateway.authorise(request, until: second.soon)
        #expect(late.responseCode == .invalidTransaction)
        #expect(second.total == 0)
    }

    @Test("a book that another process keeps locked is waited for until the deadline, and nothing is sent")
    func locked() async throws {
        let file = TemporaryBook()
        let lock = try file.lock()
        let clock = EventfulClock {}
        let host = try file.host(on: clock)
        let deadline = Deadline.after(.seconds(90), on: clock)
        await #expect(throws: GatewayError.notSent(reason: "the book is locked")) {
            try await host.authorise(SampleRequest.stripe("20.00"), until: deadline)
        }
        #expect(clock.now() == deadline.instant)
        #expect(host.entries.isEmpty)
        close(lock)
    }

    @Test("a cancel ends the wait for the lock")
    func cancelled() async throws {
        let file = TemporaryBook()
        let lock = try file.lock()
        let clock = EventfulClock { withUnsafeCurrentTask { $0?.cancel() } }
        let host = try file.host(on: clock)
        let deadline = Deadline.after(.seconds(90), on: clock)
        let error = await Task {
            await #expect(throws: GatewayError.cancelled(sent: false)) {
                try await host.authorise(SampleRequest.stripe("20.00"), until: deadline)
            }
        }.value
        #expect(error != nil)
        #expect(clock.now() < deadline.instant)
        close(lock)
    }

    @Test("when the other process lets go, the request goes on")
    func released() async throws {
        let file = TemporaryBook()
        let lock = Mutex(Optional(try file.lock()))
        let clock = EventfulClock {
            let held = lock.withLock { lock in
                defer { lock = nil }
                return lock
            }
            if let held { close(held) }
        }
        let host = try file.host(on: clock)
        let answer = try await host.authorise(
            SampleRequest.stripe("20.00"), until: .after(.seconds(90), on: clock))
        #expect(answer.responseCode.isApproved)
        #expect(host.bookedTotal(in: .mxn) == 20_00)
    }

    @Test("a line that was cut off was never booked; a damaged line stops the host before money moves")
    func damaged() async throws {
        let file = TemporaryBook()
        let first = try file.host()
        _ = try await first.gateway.authorise(SampleRequest.stripe("20.00"), until: first.soon)
        let whole = try Data(contentsOf: file.url)
        try (whole + Data("answered a-2 sale 484".utf8)).write(to: file.url)
        let second = try file.host()
        _ = try await second.gateway.authorise(SampleRequest.stripe("30.00", attempt: "a-2"), until: second.soon)
        #expect(second.total == 50_00)
        try (Data("rubbish\n".utf8) + whole).write(to: file.url)
        let third = try file.host()
        await #expect(throws: GatewayError.notSent(reason: "the simulated host's book is damaged")) {
            try await third.gateway.authorise(SampleRequest.stripe("40.00", attempt: "a-3"), until: third.soon)
        }
    }
}

/// A place for a book, removed with this object.
private final class TemporaryBook {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("book-\(UUID().uuidString)")

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// As another process would hold it.
    func lock() throws -> Int32 {
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor
    }

    func host(on clock: any MonotonicClock) throws -> IssuerSimulator {
        var options = IssuerSimulator.Options()
        options.bookPath = url.path
        return try IssuerSimulator(clock: clock, options: options)
    }

    func host() throws -> SimulatedHost {
        var options = IssuerSimulator.Options()
        options.bookPath = url.path
        return try SimulatedHost(options)
    }
}

/// A virtual clock on which something happens whenever somebody sleeps.
private final class EventfulClock: MonotonicClock {
    private let clock = VirtualClock()
    private let event: @Sendable () -> Void

    init(_ event: @escaping @Sendable () -> Void) { self.event = event }

    func now() -> MonotonicInstant { clock.now() }

    func sleep(until instant: MonotonicInstant) async {
        event()
        await clock.sleep(until: instant)
    }
}
