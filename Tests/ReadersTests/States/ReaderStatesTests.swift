import FirmwareCores
import InProcessMock
import Synchronization
import Testing
import Transport

@testable import Readers

/// Readers that come, go, work and fail, as whoever watches them sees it.
@Suite("readers that are watched", .timeLimit(.minutes(2)))
struct ReaderStatesTests {
    @Test("a reader that is plugged in is looked at and is ready")
    func arrival() async throws {
        let plugs = try await PlugBed()
        #expect(plugs.states.roster.entries.isEmpty)
        try plugs.add("one")
        #expect(await plugs.wait("one", .ready) == .ready)
        #expect(plugs.states.roster["one"]?.report?.card == .absent)
        await plugs.close()
    }

    @Test("while this program uses a reader, it is busy with that, and ready again afterwards")
    func use() async throws {
        let plugs = try await PlugBed()
        let bed = try plugs.add("one")
        await plugs.wait("one", .ready)
        let seen = Mutex<[ReaderState]>([])
        let states = plugs.states
        bed.device.onTransfer { note in
            if note.kind == .in, note.moment == .submitted, let state = states.roster["one"]?.state {
                seen.withLock { if $0.last != state { $0.append(state) } }
            }
            return .pass
        }
        let reader = try await plugs.open("one")
        #expect(states.roster["one"]?.state == .ready)
        #expect(await bed.code { try await reader.waitForCard(until: bed.after(2)) } == .cardNotInserted)
        #expect(states.roster["one"]?.state == .ready)
        #expect(
            seen.withLock { $0 } == [
                .busy(.operation("opening the reader")), .busy(.operation("waiting for a card")),
            ])
        await reader.close()
        await plugs.close()
    }

    @Test("a reader that is unplugged keeps its place for the grace period, and its id when it comes back in it")
    func unplugged() async throws {
        let plugs = try await PlugBed()
        try plugs.add("one")
        await plugs.wait("one", .ready)
        let left = plugs.clock.now()
        plugs.steer("one", "unplug")
        #expect(await plugs.wait("one", .reconnecting) == .reconnecting(since: left, .unplugged))
        #expect(plugs.states.roster["one"]?.report == nil)
        await plugs.clock.untilSomebodySleeps()
        plugs.clock.move(by: PlugBed.grace - .milliseconds(1))
        #expect(plugs.states.roster["one"]?.state.name == .reconnecting)
        plugs.steer("one", "plug")
        #expect(await plugs.wait("one", .ready) == .ready)
        #expect(plugs.states.roster.entries.map(\.reader.id) == ["one"])
        // The grace period of then is nobody's any more.
        plugs.clock.move(by: PlugBed.grace)
        #expect(plugs.states.roster["one"]?.state == .ready)
        #expect(plugs.clock.sleepers == 0)
        await plugs.close()
    }

    @Test("after the grace period it is gone; when it comes back then, it is looked at again under its id")
    func gone() async throws {
        let plugs = try await PlugBed()
        try plugs.add("one")
        await plugs.wait("one", .ready)
        plugs.steer("one", "unplug")
        await plugs.wait("one", .reconnecting)
        await plugs.clock.untilSomebodySleeps()
        plugs.clock.move(by: PlugBed.grace)
        #expect(await plugs.wait("one", .gone) == .gone(.unplugged))
        plugs.steer("one", "plug")
        #expect(await plugs.wait("one", .ready) == .ready)
        #expect(plugs.states.roster.entries.count == 1)
        await plugs.close()
    }

    @Test("a reader that leaves in an operation says which, and is usable again when it is back")
    func lostInUse() async throws {
        let plugs = try await PlugBed()
        let bed = try plugs.add("one")
        await plugs.wait("one", .ready)
        let reader = try await plugs.open("one")
        bed.steer("after 2500 unplug")
        #expect(await bed.code { try await reader.waitForCard(until: bed.after(60)) } == .gone)
        // Nobody has looked at the bus yet.
        #expect(
            plugs.states.roster["one"]?.state
                == .reconnecting(since: plugs.clock.now(), .lost(during: "waiting for a card")))
        plugs.change()
        plugs.steer("one", "plug")
        await plugs.wait("one", .ready)
        let again = try await plugs.open("one")
        #expect(try await again.cardPresence(until: bed.after(5)) == .absent)
        // What the old session still does says nothing of the new stay.
        #expect(await bed.code { _ = try await reader.cardPresence(until: bed.after(5)) } == .gone)
        await reader.close()
        #expect(plugs.states.roster["one"]?.state == .ready)
        await again.close()
        await plugs.close()
    }

    @Test("the bus may tell first that a reader has left that is in use")
    func lostByTheBus() async throws {
        let states = ReaderStates(clock: ManualClock())
        let reader = FoundReader(id: "one", family: .ccid, model: "Mock", link: .usb)
        states.present([reader])
        let stay = try #require(states.opening(reader, "opening the reader"))
        let session = try #require(states.opened(reader, stay, "opening the reader"))
        states.began(session, "sending a command to the card")
        states.present([])
        let lost = ReaderState.reconnecting(
            since: MonotonicInstant(nanoseconds: 1_000_000_000), .lost(during: "sending a command to the card"))
        #expect(states.roster["one"]?.state == lost)
        states.ended(session, ReaderError(.gone, during: "sending a command to the card"))
        states.closed(session)
        #expect(states.roster["one"]?.state == lost)
        // Neither does an attempt to open it prolong the grace period.
        #expect(states.opening(reader, "opening the reader") == nil)
        #expect(states.roster["one"]?.state == lost)
        states.close()
    }

    @Test("a reader that comes back at another node was away, even if nobody saw it")
    func anotherNode() throws {
        let states = ReaderStates(clock: ManualClock())
        var reader = FoundReader(id: "one", family: .ccid, model: "Mock", link: .usb, node: "/dev/bus/usb/001/004")
        states.present([reader])
        let stay = try #require(states.lookable(.held).first?.stay)
        states.looked(at: stay, report(reader, .ready))
        #expect(states.roster["one"]?.state == .ready)
        reader.node = "/dev/bus/usb/001/005"
        states.present([reader])
        #expect(states.roster["one"]?.state == .discovering)
        // A look at what was there before comes too late.
        states.looked(at: stay, report(reader, .ready))
        #expect(states.roster["one"]?.state == .discovering)
        states.close()
    }

    private func report(_ reader: FoundReader, _ state: ReaderReport.State) -> ReaderReport {
        ReaderReport(
            reader: reader, state: state, card: .unknown, firmware: nil, capabilities: [], heldBy: nil, problems: [])
    }

    @Test("a reader that another program holds is busy, with who holds it and how to end that")
    func held() async throws {
        let plugs = try await PlugBed()
        plugs.refuse("one", .busy)
        try plugs.add("one")
        let reason = await plugs.wait("one", .busy)?.reason
        #expect(reason?.code == "held")
        #expect(reason?.message == "The reader is held by pcscd (process 7).")
        #expect(reason?.fix == "Stop the PC/SC service: 'sudo systemctl stop pcscd.socket pcscd.service'.")
        plugs.refuse("one", nil)
        #expect(await plugs.wait("one", .ready) == .ready)
        // The same is found out by whoever wants to use it.
        plugs.refuse("one", .busy, isTold: false)
        await #expect(throws: ReaderError(.busy, during: "")) { _ = try await plugs.open("one") }
        #expect(plugs.states.roster["one"]?.state == .busy(.held(.held(by: "pcscd (process 7)"))))
        await plugs.close()
    }

    @Test("that another program lets go of a reader, or that a lost one is still plugged in, is found out by asking")
    func recheck() async throws {
        let asking = ManualClock()
        let plugs = try await PlugBed(recheck: ReaderWatch.Recheck(every: .seconds(5), on: asking))
        plugs.refuse("one", .busy)
        let bed = try plugs.add("one")
        await plugs.wait("one", .busy)
        plugs.refuse("one", nil, isTold: false)
        await asking.untilSomebodySleeps()
        asking.move(by: .seconds(5))
        #expect(await plugs.wait("one", .ready) == .ready)
        let reader = try await plugs.open("one")
        bed.steer("after 500 unplug")
        #expect(await bed.code { try await reader.waitForCard(until: bed.after(60)) } == .gone)
        #expect(plugs.states.roster["one"]?.state.name == .reconnecting)
        bed.steer("plug")
        await asking.untilSomebodySleeps()
        asking.move(by: .seconds(5))
        #expect(await plugs.wait("one", .ready) == .ready)
        await reader.close()
        await plugs.close()
        #expect(asking.sleepers == 0)
    }

    @Test("a reader that failed when it was looked at, or was denied, is looked at again", arguments: [false, true])
    func failedLook(isDenied: Bool) async throws {
        let asking = ManualClock()
        let plugs = try await PlugBed(recheck: ReaderWatch.Recheck(every: .seconds(5), on: asking))
        plugs.refuse("one", isDenied ? .accessDenied : .linkFailed)
        try plugs.add("one")
        #expect(await plugs.wait("one", .fault)?.name == .fault)
        plugs.refuse("one", nil, isTold: false)
        await asking.untilSomebodySleeps()
        asking.move(by: .seconds(5))
        #expect(await plugs.wait("one", .ready) == .ready)
        await plugs.close()
    }

    @Test("a second use of a reader that this program has open is refused, and changes nothing")
    func secondUse() async throws {
        let plugs = try await PlugBed()
        try plugs.add("one")
        await plugs.wait("one", .ready)
        let reader = try await plugs.open("one")
        plugs.refuse("one", .busy)
        await #expect(throws: ReaderError(.busy, during: "")) { _ = try await plugs.open("one") }
        #expect(plugs.states.roster["one"]?.state == .ready)
        await reader.close()
        await plugs.close()
    }

    @Test("a fault of the device is a fault with its fix, until a use or a look goes well")
    func fault() async throws {
        let plugs = try await PlugBed()
        let bed = try plugs.add("one")
        await plugs.wait("one", .ready)
        let reader = try await plugs.open("one")
        bed.steer("after 300 hardware-error")
        #expect(await bed.code { try await reader.waitForCard(until: bed.after(60)) } == .hardwareFault)
        let state = plugs.states.roster["one"]?.state
        #expect(state?.name == .fault)
        #expect(state?.reason?.code == "fault")
        #expect(state?.reason?.fix == ReaderError.Code.hardwareFault.nextStep)
        #expect(try await reader.cardPresence(until: bed.after(5)) == .absent)
        #expect(plugs.states.roster["one"]?.state == .ready)
        await reader.close()
        plugs.refuse("one", .silent, isTold: false)
        await #expect(throws: ReaderError(.silent, during: "")) { _ = try await plugs.open("one") }
        #expect(plugs.states.roster["one"]?.state.reason?.code == "silent")
        plugs.refuse("one", nil)
        #expect(await plugs.wait("one", .ready) == .ready)
        await plugs.close()
    }

    @Test("fifty cycles with an operation in each leave nothing behind")
    func cycles() async throws {
        let plugs = try await PlugBed()
        let bed = try plugs.add("one")
        for round in 1...50 {
            #expect(await plugs.wait("one", .ready) == .ready, "round \(round)")
            let reader = try await plugs.open("one")
            bed.steer("after 1000 unplug")
            #expect(await bed.code { try await reader.waitForCard(until: bed.after(60)) } == .gone, "round \(round)")
            await reader.close()
            #expect(plugs.states.roster["one"]?.state.name == .reconnecting, "round \(round)")
            plugs.steer("one", "plug")
        }
        await plugs.wait("one", .ready)
        #expect(plugs.states.roster.entries.count == 1)
        #expect(plugs.states.subscriberCount == 0)
        #expect(plugs.clock.sleepers == 0)
        #expect(!bed.hasTransfersInFlight)
        await plugs.close()
    }

    @Test("readers that are gone are listed up to a number; the first that went is dropped first")
    func forgotten() async {
        let clock = ManualClock()
        let states = ReaderStates(clock: clock, grace: .seconds(1))
        for number in 10..<50 {
            states.present([FoundReader(id: "reader \(number)", family: .ccid, model: "Mock", link: .usb)])
            states.present([])
            await clock.untilSomebodySleeps()
            clock.move(by: .seconds(1))
            for await roster in states.rosters()
            where roster["reader \(number)"]?.state.name == .gone { break }
        }
        let kept = 50 - ReaderStates.keptGone
        #expect(states.roster.entries.map(\.reader.id) == (kept..<50).map { "reader \($0)" })
        states.close()
    }
}
