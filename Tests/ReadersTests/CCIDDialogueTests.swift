import EMV
import FirmwareCores
import Testing
import Transport

@testable import Readers

/// The driver with a reader and a card that behave.
struct CCIDDialogueTests {
    @Test(arguments: everyLevel, everyCardLink)
    func `a command gets the card's own answer at every level`(level: String, card: String) async throws {
        let bed = try CCIDBed(["level": level, "card": card])
        let expected = try directAnswer(of: card, to: selectPSE)
        let reader = try await bed.open()
        #expect(try await reader.cardPresence(until: bed.after(5)) == .present)
        try await reader.waitForCard(until: bed.after(5))
        #expect(try await reader.powerOnCard(until: bed.after(5)) == expected.reset)
        for _ in 0..<3 {
            #expect(try await reader.transmit(selectPSE, until: bed.after(5)).bytes == expected.answer)
        }
        await reader.close()
        #expect(bed.frameTypes.last == 0x63)
        #expect(!bed.hasTransfersInFlight)
    }

    @Test func `the sequence number goes round after 255`() async throws {
        let bed = try CCIDBed()
        let reader = try await bed.open()
        for _ in 0..<300 { #expect(try await reader.cardPresence(until: bed.after(5)) == .present) }
        #expect(bed.frames.map { $0[6] } == (0..<301).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test func `a character-level reader is refused before anything is sent`() async throws {
        let bed = try CCIDBed(["level": "character"])
        #expect(await bed.code { _ = try await bed.open() } == .unsupported)
        #expect(bed.frames.isEmpty)
    }

    @Test func `a command before power on is refused`() async throws {
        let bed = try CCIDBed()
        let reader = try await bed.open()
        #expect(await bed.code { _ = try await reader.transmit(selectPSE, until: bed.after(5)) } == .cardRemoved)
        #expect(bed.frameTypes == [0x65])
    }

    @Test func `a mute card is named`() async throws {
        let bed = try CCIDBed(["card": "mute"])
        let reader = try await bed.open()
        #expect(await bed.code { _ = try await reader.powerOnCard(until: bed.after(5)) } == .cardMute)
    }

    @Test func `a reader that leaves the voltage to the host is led down from 5 V`() async throws {
        let bed = try CCIDBed(["card": "mute", "autovoltage": "no"])
        let reader = try await bed.open()
        #expect(await bed.code { _ = try await reader.powerOnCard(until: bed.after(5)) } == .cardMute)
        #expect(bed.frames.filter { $0[0] == 0x62 }.map { $0[7] } == [1, 2, 3])
    }

    @Test func `close powers the card off once, and is final`() async throws {
        let bed = try CCIDBed()
        let reader = try await bed.open()
        _ = try await reader.powerOnCard(until: bed.after(5))
        await reader.close()
        await reader.close()
        await reader.powerOffCard()
        #expect(bed.frameTypes == [0x65, 0x62, 0x63])
        #expect(await bed.code { _ = try await reader.cardPresence(until: bed.after(5)) } == .closed)
    }

    @Test func `close without power sends nothing`() async throws {
        let bed = try CCIDBed()
        let reader = try await bed.open()
        await reader.close()
        #expect(bed.frameTypes == [0x65])
    }

    @Test func `a card whose activation failed half-way is powered off`() async throws {
        let bed = try CCIDBed(["level": "tpdu"])
        let reader = try await bed.open()
        bed.steer("fault 2 stall")
        #expect(await bed.code { _ = try await reader.powerOnCard(until: bed.after(5)) } == .protocolViolation)
        await reader.close()
        #expect(bed.frameTypes == [0x65, 0x62, 0x61, 0x63])
    }

    @Test func `a cancelled task still powers the card off`() async throws {
        let bed = try CCIDBed()
        let reader = try await bed.open()
        _ = try await reader.powerOnCard(until: bed.after(5))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await reader.powerOffCard()
        }
        await task.value
        #expect(bed.frameTypes.last == 0x63)
    }
}
