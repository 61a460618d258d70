import FirmwareCores
import InProcessMock
import Testing
import Transport

@testable import Readers

/// Waiting for cards, with and without an interrupt pipe.
struct CCIDWaitingTests {
    private static let pipes = ["yes", "no"]

    @Test(arguments: pipes)
    func `no card by the deadline is not a silent reader`(interrupt: String) async throws {
        let bed = try CCIDBed(["card": "none", "interrupt": interrupt])
        let reader = try await bed.open()
        #expect(try await reader.cardPresence(until: bed.after(5)) == .absent)
        let spent = await bed.duration {
            #expect(await bed.code { try await reader.waitForCard(until: bed.after(3)) } == .cardNotInserted)
        }
        #expect(spent == .seconds(3))
        #expect(!bed.frameTypes.contains(0x72))
    }

    @Test func `a deadline in the middle of a question is not a silent reader`() async throws {
        let bed = try CCIDBed(["card": "none", "interrupt": "no"])
        let reader = try await bed.open()
        // Asked at 0, 250, 500 and 750 ms; the last answer would come after the end.
        bed.steer("fault 4 late 4000")
        #expect(await bed.code { try await reader.waitForCard(until: bed.after(1)) } == .cardNotInserted)
        #expect(bed.frameTypes.last == 0x72)
        #expect(try await reader.cardPresence(until: bed.after(5)) == .absent)
    }

    @Test(arguments: [("yes", 1500), ("no", 1500)])
    func `a card is seen when it comes`(interrupt: String, milliseconds: Int) async throws {
        let bed = try CCIDBed(["card": "none", "interrupt": interrupt])
        let reader = try await bed.open()
        bed.steer("after \(milliseconds) insert visa-credit")
        let spent = try await bed.duration { try await reader.waitForCard(until: bed.after(60)) }
        let latest = interrupt == "yes" ? Duration.zero : CCIDReader.pollInterval
        #expect(spent >= .milliseconds(milliseconds) && spent <= .milliseconds(milliseconds) + latest)
        #expect(try await reader.powerOnCard(until: bed.after(5)).first == 0x3B)
    }

    @Test(arguments: pipes)
    func `a removal is seen`(interrupt: String) async throws {
        let bed = try CCIDBed(["interrupt": interrupt])
        let reader = try await bed.open()
        bed.steer("after 700 remove")
        let start = bed.clock.now()
        #expect(try await reader.waitForCardRemoval(until: bed.after(60)))
        let spent = start.duration(to: bed.clock.now())
        #expect(spent >= .milliseconds(700) && spent <= .milliseconds(950))
    }

    @Test func `a card that stays is told apart from one that left`() async throws {
        let bed = try CCIDBed()
        let reader = try await bed.open()
        #expect(try await reader.waitForCardRemoval(until: bed.after(2)) == false)
    }

    @Test func `a lost notification only costs the confirming question`() async throws {
        let bed = try CCIDBed(["card": "none"])
        let reader = try await bed.open()
        // The notice is replaced by one that says nothing.
        bed.device.onTransfer { $0.kind == .event && $0.moment == .done ? .replace([]) : .pass }
        bed.steer("after 300 insert visa-credit")
        let spent = try await bed.duration { try await reader.waitForCard(until: bed.after(60)) }
        #expect(spent <= CCIDReader.confirmInterval)
    }

    @Test func `a hardware error notice ends the wait`() async throws {
        let bed = try CCIDBed(["card": "none"])
        let reader = try await bed.open()
        bed.steer("after 300 hardware-error")
        #expect(await bed.code { try await reader.waitForCard(until: bed.after(60)) } == .hardwareFault)
    }

    @Test(arguments: pipes)
    func `a reader that leaves ends the wait at once`(interrupt: String) async throws {
        let bed = try CCIDBed(["card": "none", "interrupt": interrupt])
        let reader = try await bed.open()
        bed.steer("after 500 unplug")
        let spent = await bed.duration {
            #expect(await bed.code { try await reader.waitForCard(until: bed.after(60)) } == .gone)
        }
        #expect(spent <= .milliseconds(750))
        #expect(await bed.code { _ = try await reader.cardPresence(until: bed.after(5)) } == .gone)
    }

    @Test(arguments: pipes)
    func `one operation at a time, and a cancelled wait leaves the reader usable`(interrupt: String) async throws {
        let bed = try CCIDBed(["card": "none", "interrupt": interrupt])
        let reader = try await bed.open()
        let endless = Deadline(MonotonicInstant(nanoseconds: .max))
        let waiting = Task { () async -> ReaderError.Code? in
            await bed.code { try await reader.waitForCard(until: endless) }
        }
        // The open asked once; more questions are the wait's.
        while bed.frames.count < 3 { await Task.yield() }
        #expect(await bed.code { _ = try await reader.cardPresence(until: bed.after(5)) } == .busy)
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        #expect(!bed.hasTransfersInFlight)
        #expect(try await reader.cardPresence(until: bed.after(5)) == .absent)
    }

    @Test func `close ends a wait of another task and does not talk into it`() async throws {
        let bed = try CCIDBed()
        let reader = try await bed.open()
        _ = try await reader.powerOnCard(until: bed.after(5))
        let endless = Deadline(MonotonicInstant(nanoseconds: .max))
        let waiting = Task { () async -> ReaderError.Code? in
            await bed.code { _ = try await reader.waitForCardRemoval(until: endless) }
        }
        while bed.frames.count < 4 { await Task.yield() }
        await reader.close()
        #expect(await waiting.value == .closed)
        #expect(!bed.frameTypes.contains(0x63))
        #expect(!bed.hasTransfersInFlight)
    }
}
