import BERTLV
import EMV
import FirmwareCores
import ReaderWire
import Testing
import Transport

@testable import Readers

/// Payments with a NEO2 reader, on HID and on a byte stream.
@Suite struct NEO2DialogueTests {
    @Test("opening says the published frames, in this order")
    func greeting() async throws {
        let bed = try NEO2Bed(.stream)
        let reader = try await bed.open()
        #expect(
            bed.frames.map { hex($0.bytes.dropFirst(10)) } == [
                "18010000B3CD", "0501000092EF", "29000000DEA0", "1201000018A5", "04000005DFEE7E0100601E",
                "0101000101D734",
            ])
        #expect(reader.identity == NEO2Reader.Identity(firmware: "VP3300 Mock 1.00", serialNumber: "310T061040"))
        #expect(reader.capabilities == [.kernel, .contact, .contactless, .magneticStripe, .securedReading])
        await reader.close()
        #expect(!bed.hasTransfersInFlight)
    }

    @Test("a tapped card goes online, and the host alone decides", arguments: NEO2LinkForm.allCases)
    func tapped(form: NEO2LinkForm) async throws {
        let bed = try NEO2Bed(form, ["chatty": "yes"])
        let reader = try await bed.open()
        bed.steer("after 1500 tap visa-credit")
        bed.forget()
        let stop = try await bed.start(reader, [.contactless])
        #expect(name(stop) == "online contactlessChip")
        let reading = try #require(stop.reading)
        #expect(reading.account.lastFour == "0119")
        #expect(reading.value(of: 0x9F27) == [0x80])
        #expect(reading.value(of: 0x84) == [0xA0, 0, 0, 0, 3, 0x10, 0x10])
        #expect(bed.commands == ["0240"])
        let sent = try #require(bed.frames.first)
        #expect(
            hex(sent.data) == "3C9F02060000000123459F03060000000000009A032611309F21031200009C01005F2A020484"
                + "5F360102DFEF370102")
        #expect(bed.prompts == [.tapCard, .processing])
        #expect(name(try await reader.complete(hostApproval, until: bed.after(10))) == "approved contactlessChip")
        #expect(bed.commands == ["0240"])
    }

    @Test("a card in the slot gets both cryptograms", arguments: NEO2LinkForm.allCases)
    func inserted(form: NEO2LinkForm) async throws {
        let bed = try NEO2Bed(form)
        let reader = try await bed.open()
        bed.steer("after 1500 insert mastercard-debit")
        bed.forget()
        let stop = try await bed.start(reader, [.contact])
        #expect(name(stop) == "online contactChip")
        #expect(bed.prompts == [.insertCard, .doNotRemoveCard])
        let last = try await reader.complete(hostApproval, until: bed.after(10))
        #expect(name(last) == "approved contactChip")
        #expect(last.reading?.value(of: 0x9F27) == [0x40])
        #expect(bed.commands == ["6010", "6011", "6012", "6013"])
        #expect(bed.cardLog?.secondValue("8A") == "3030")
        #expect(bed.cardLog?.firstValue("9F02") == "000000012345")
    }

    @Test("the issuer's refusal, and its silence, reach the card", arguments: [false, true])
    func refused(silent: Bool) async throws {
        let bed = try NEO2Bed(.hid, ["card": "visa-credit"])
        let reader = try await bed.open()
        _ = try await bed.start(reader, [.contact])
        let stop = try await reader.complete(silent ? .unableToGoOnline : hostDecline, until: bed.after(10))
        #expect(name(stop) == "declined contactChip")
        #expect(bed.cardLog?.secondValue("8A") == (silent ? "5A33" : "3035"))
        #expect(bed.cardLog?.secondAnswer == 0x00)
    }

    @Test(
        "what the card decides, and what is wrong with it",
        arguments: [
            ("declines-first", "declined contactChip"), ("blocked-card", "ended cardBlocked"),
            ("blocked-application", "ended cardBlocked"), ("gpo-refused", "ended notAccepted"),
            ("bad-afl", "ended cardFault"), ("nonsense", "ended cardFault"), ("mute", "ended fallbackNotAllowed"),
            ("two-applications", "online contactChip"), ("no-name", "online contactChip"),
        ])
    func cards(card: String, expected: String) async throws {
        let bed = try NEO2Bed(.hid, ["card": card])
        let reader = try await bed.open()
        #expect(name(try await bed.start(reader, [.contact])) == expected)
    }

    @Test("a card that is pulled ends the payment, and the next one works")
    func pulled() async throws {
        let bed = try NEO2Bed(.hid, ["card": "pulled-first"])
        let reader = try await bed.open()
        await #expect(throws: ReaderError(.cardRemoved, during: "")) { _ = try await bed.start(reader, [.contact]) }
        bed.steer("remove")
        bed.steer("insert visa-credit")
        #expect(name(try await bed.start(reader, [.contact])) == "online contactChip")
    }

    @Test("every interface: an inserted card is found in its turn, and a tapped one at once")
    func everyInterface() async throws {
        let bed = try NEO2Bed()
        let reader = try await bed.open()
        bed.steer("after 20000 insert visa-credit")
        bed.forget()
        #expect(name(try await bed.start(reader)) == "online contactChip")
        #expect(bed.prompts == [.presentCard, .doNotRemoveCard])
        #expect(bed.commands.prefix(4) == ["0240", "6010", "0240", "6010"])
        await reader.abandon()
        bed.steer("remove")
        bed.steer("after 2000 tap visa-credit")
        #expect(name(try await bed.start(reader)) == "online contactlessChip")
    }

    @Test("no card: the reader's own time-out, or ours when it has none", arguments: [false, true])
    func nobody(silent: Bool) async throws {
        let bed = try NEO2Bed()
        let reader = try await bed.open()
        if silent { bed.steer("fault next silent") }
        let start = bed.clock.now()
        await #expect(throws: ReaderError(.cardNotInserted, during: "")) {
            _ = try await bed.start(reader, [.contactless], seconds: 30)
        }
        // A reader that does not tell its time-out may still tell of a card.
        #expect(start.duration(to: bed.clock.now()) <= .seconds(silent ? 33 : 31))
        #expect(!bed.hasTransfersInFlight)
        bed.steer("tap visa-credit")
        #expect(name(try await bed.start(reader, [.contactless])) == "online contactlessChip")
    }

    @Test("a second call is refused, and nothing can be completed twice")
    func turns() async throws {
        let bed = try NEO2Bed(.hid, ["card": "visa-credit", "entry": "tapped"])
        let reader = try await bed.open()
        _ = try await bed.start(reader, [.contactless])
        _ = try await reader.complete(hostApproval, until: bed.after(10))
        await #expect(throws: ReaderError(.unsupported, during: "")) {
            _ = try await reader.complete(hostApproval, until: bed.after(10))
        }
        await #expect(throws: ReaderError(.unsupported, during: "")) {
            _ = try await reader.choose(0, until: bed.after(10))
        }
        #expect(try await reader.waitForCardRemoval(until: bed.after(1)))
        await reader.close()
        await reader.close()
        await #expect(throws: ReaderError(.closed, during: "")) { _ = try await bed.start(reader) }
    }

    @Test("a model without a slot refuses the slot")
    func noSlot() async throws {
        let bed = try NEO2Bed(.hid, ["contact": "no"])
        let reader = try await bed.open(interfaces: [.contactless])
        await #expect(throws: ReaderError(.unsupported, during: "")) { _ = try await bed.start(reader, [.contact]) }
        bed.steer("tap visa-credit")
        #expect(name(try await bed.start(reader)) == "online contactlessChip")
    }

    @Test("a refund asks for 9C 20")
    func refund() async throws {
        let bed = try NEO2Bed(.hid, ["card": "visa-credit", "entry": "tapped"])
        let reader = try await bed.open()
        #expect(name(try await bed.start(reader, [.contactless], kind: .refund)) == "online contactlessChip")
        #expect(bed.cardLog?.firstValue("9C") == "20")
    }

    @Test("abandoning ends what the reader holds")
    func abandoned() async throws {
        let bed = try NEO2Bed(.hid, ["card": "visa-credit"])
        let reader = try await bed.open()
        _ = try await bed.start(reader, [.contact])
        bed.forget()
        await reader.abandon()
        #expect(bed.commands == ["0501"])
        #expect(bed.withFirmware { $0.terminal.isActive } == false)
        await #expect(throws: ReaderError(.unsupported, during: "")) {
            _ = try await reader.complete(hostApproval, until: bed.after(10))
        }
    }
}
