import FirmwareCores
import InProcessMock
import Testing
import Transport

/// Waits that last, on a clock that only the test moves.
struct InProcessWaitingTests {
    private let clock = ManualClock()
    private let status = hex("65 00000000 00 07 000000")

    private func device(_ options: [String: String] = [:]) throws -> InProcessDevice {
        InProcessDevice(core: try CCIDReaderCore.make(options: options), clock: clock)
    }

    private func wait(
        for operation: @escaping @Sendable (Deadline) async throws(TransportError) -> [UInt8]
    ) async -> Task<Result<[UInt8], TransportError>, Never> {
        let deadline = Deadline.after(.seconds(60), on: clock)
        let task = Task {
            do throws(TransportError) {
                return Result<[UInt8], TransportError>.success(try await operation(deadline))
            } catch {
                return .failure(error)
            }
        }
        await clock.untilSomebodySleeps()
        return task
    }

    @Test func steeringWakesTheWaiterAtOnce() async throws {
        let device = try device()
        let transport = device.open()
        let event = await wait { deadline throws(TransportError) in try await transport.receiveEvent(until: deadline) }
        #expect(device.steer("remove") == nil)
        #expect(await event.value == .success([0x50, 0x02]))
        #expect(clock.sleepers == 0)
    }

    @Test func unplugWakesTheWaiterAtOnce() async throws {
        let device = try device()
        let transport = device.open()
        let answer = await wait { deadline throws(TransportError) in
            try await transport.receive(atMost: 271, until: deadline)
        }
        #expect(device.steer("unplug") == nil)
        #expect(await answer.value == .failure(TransportError(.gone, during: "receive")))
    }

    @Test func cancelEndsTheWaitAndLeavesNothingInFlight() async throws {
        let device = try device()
        let transport = device.open()
        let answer = await wait { deadline throws(TransportError) in
            try await transport.receive(atMost: 271, until: deadline)
        }
        answer.cancel()
        #expect(await answer.value == .failure(TransportError(.cancelled, during: "receive")))
        #expect(clock.sleepers == 0)
        let deadline = Deadline.after(.seconds(1), on: clock)
        try await transport.send(status, until: deadline)
        #expect(text(try await transport.receive(atMost: 271, until: deadline)) == "81000000000007010000")
    }

    @Test func dataThatCameBeforeTheCancelIsKept() async throws {
        let device = try device()
        let transport = device.open()
        let event = await wait { deadline throws(TransportError) in try await transport.receiveEvent(until: deadline) }
        #expect(device.steer("remove") == nil)
        event.cancel()
        #expect(await event.value == .success([0x50, 0x02]))
    }

    @Test func closeEndsEveryWait() async throws {
        let transport = try device().open()
        let answer = await wait { deadline throws(TransportError) in
            try await transport.receive(atMost: 271, until: deadline)
        }
        let event = await wait { deadline throws(TransportError) in try await transport.receiveEvent(until: deadline) }
        await transport.close()
        await transport.close()
        #expect(await answer.value == .failure(TransportError(.closed, during: "receive")))
        #expect(await event.value == .failure(TransportError(.closed, during: "receive event")))
        let deadline = Deadline.after(.seconds(1), on: clock)
        await #expect(throws: TransportError(.closed, during: "send")) {
            try await transport.send(status, until: deadline)
        }
    }

    @Test func deadlineEndsTheWait() async throws {
        let transport = try device().open()
        let answer = await wait { deadline throws(TransportError) in
            try await transport.receive(atMost: 271, until: deadline)
        }
        clock.move(by: .seconds(60))
        #expect(await answer.value == .failure(TransportError(.timedOut, during: "receive")))
    }

    @Test func answerThatBecomesDueLaterWakesAnEarlierWaiter() async throws {
        let device = try device()
        let transport = device.open()
        let answer = await wait { deadline throws(TransportError) in
            try await transport.receive(atMost: 271, until: deadline)
        }
        #expect(device.steer("fault next late 500") == nil)
        try await transport.send(status, until: Deadline.after(.seconds(1), on: clock))
        clock.move(by: .milliseconds(500))
        #expect(try await answer.value.get() == hex("81000000000007010000"))
    }

    @Test func plugEventWaitsUntilItHappens() async throws {
        let device = try device()
        let events = device.events()
        let seen = Task {
            var iterator = events.makeAsyncIterator()
            return [await iterator.next(), await iterator.next()]
        }
        #expect(device.steer("unplug") == nil)
        #expect(device.steer("plug") == nil)
        #expect(await seen.value == [.unplugged, .plugged])
    }

    @Test func cancelledReaderOfPlugEventsEnds() async throws {
        let events = try device().events()
        let reader = Task {
            var count = 0
            for await _ in events { count += 1 }
            return count
        }
        reader.cancel()
        #expect(await reader.value == 0)
    }
}
