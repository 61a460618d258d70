import BERTLV
import EMV
import FirmwareCores
import ReaderWire
import Testing

@testable import Readers

/// Stripes, fallback, and account data that are masked, encrypted or in clear.
@Suite struct NEO2StripeTests {
    @Test("a stripe without a chip goes online", arguments: NEO2LinkForm.allCases)
    func swiped(form: NEO2LinkForm) async throws {
        let bed = try NEO2Bed(form)
        let reader = try await bed.open()
        bed.steer("after 500 swipe visa-credit 101")
        let stop = try await bed.start(reader, [.magneticStripe])
        #expect(name(stop) == "online magneticStripe")
        let reading = try #require(stop.reading)
        #expect(reading.serviceCode == "101")
        #expect(reading.cardholderName == Array("TEST CARDHOLDER/ONE".utf8))
        #expect(bed.prompts == [.swipeCard])
        guard case .encrypted(let data, let masked) = reading.account else {
            Issue.record("not encrypted")
            return
        }
        #expect(masked?.lastFour == "0119" && masked?.text.hasPrefix("476173*") == true)
        #expect(data.scheme == .tdesDUKPT)
        #expect(hex(data.keySerialNumber) == "FFFF9876543210E00001")
        let track = try #require(data.parts[.track2])
        let plain = AccountSecuring.KeyLadder.test.decrypt(track, keySerialNumber: data.keySerialNumber)
        #expect(Track2(text: String(decoding: plain.prefix { $0 != 0 }, as: UTF8.self))?.pan.lastFour == "0119")
        #expect(name(try await reader.complete(hostDecline, until: bed.after(1))) == "declined magneticStripe")
    }

    @Test("the stripe of a chip card asks for the chip first")
    func chipFirst() async throws {
        let bed = try NEO2Bed()
        let reader = try await bed.open()
        bed.steer("after 500 swipe visa-credit")
        bed.steer("after 9000 insert visa-credit")
        #expect(name(try await bed.start(reader)) == "online contactChip")
        #expect(bed.prompts == [.presentCard, .useChip, .doNotRemoveCard])
    }

    @Test("without a slot such a stripe is refused")
    func chipWithoutSlot() async throws {
        let bed = try NEO2Bed()
        let reader = try await bed.open()
        bed.steer("after 500 swipe visa-credit")
        #expect(name(try await bed.start(reader, [.magneticStripe])) == "ended fallbackNotAllowed")
    }

    @Test("after a failed chip it is a fallback")
    func fallback() async throws {
        let bed = try NEO2Bed()
        let reader = try await bed.open()
        bed.steer("swipe visa-credit")
        let stop = try await bed.start(reader, [.magneticStripe], fallback: true)
        #expect(name(stop) == "online fallbackStripe")
        #expect(stop.reading?.saysThatCardHasChip == true)
    }

    @Test("a mute chip in the slot leads to the stripe, if it may")
    func muteChip() async throws {
        let bed = try NEO2Bed()
        let reader = try await bed.open()
        bed.steer("insert mute")
        bed.steer("after 12000 swipe visa-credit 101")
        let stop = try await bed.start(reader, [.contact, .magneticStripe], fallback: true)
        #expect(name(stop) == "online fallbackStripe")
        #expect(bed.prompts == [.presentCard, .useStripe])
        bed.steer("insert mute")
        #expect(name(try await bed.start(reader, [.contact, .magneticStripe])) == "ended fallbackNotAllowed")
        #expect(name(try await bed.start(reader, [.contact], fallback: true)) == "ended fallbackNotAllowed")
    }

    @Test("a reader that does not secure hands out the account; one that only masks, the mask")
    func otherForms() async throws {
        for (sred, entry) in [("clear", "tapped"), ("clear", "swiped"), ("masked", "tapped"), ("masked", "swiped")] {
            let bed = try NEO2Bed(.hid, ["sred": sred, "card": "visa-credit", "entry": entry])
            let reader = try await bed.open()
            bed.steer(entry == "swiped" ? "swipe visa-credit 101" : "tap visa-credit")
            let reading = try #require(try await bed.start(reader, [.contactless, .magneticStripe]).reading)
            switch (sred, reading.account) {
            case ("clear", .clear(let pan, let expiry)):
                #expect(pan.lastFour == "0119")
                #expect(expiry.prefix(2) == [0x30, 0x12])
            case ("masked", .withheld(let masked)):
                #expect(masked?.lastFour == "0119")
            default: Issue.record("\(sred), \(entry): another form of account")
            }
        }
    }

    /// Published by Bluefin: a VP3350's answer to a swipe, 393 bytes.
    @Test("the captured swipe reads as published", arguments: NEO2LinkForm.allCases)
    func captured(form: NEO2LinkForm) throws {
        var receiver = NEO2Receiver(form)
        let bytes = bytes(Self.capture)
        let pieces = form == .hid ? NEO2Report.pack(bytes) : bytes.map { [$0] }
        #expect(form == .stream || pieces.count == 7)
        var messages: [NEO2Receiver.Message] = []
        for piece in pieces { messages += receiver.feed(piece) }
        guard case .response(let frame)? = messages.first, messages.count == 1 else {
            Issue.record("\(messages.count) messages")
            return
        }
        guard
            case .stop(.online(let reading)) = try NEO2Decision(frame, expecting: .contactlessChip, operation: "test")
        else {
            Issue.record("not online")
            return
        }
        #expect(reading.entry == .magneticStripe)
        #expect(reading.account.lastFour == "0043")
        #expect(reading.value(of: 0x9A) == [0x23, 0x11, 0x16])
        #expect(reading.value(of: 0x9F21) == [0x20, 0x26, 0x09])
        #expect(reading.value(of: 0x9F39) == [0x90])
        // Masked in the capture.
        #expect(reading.serviceCode == nil && !reading.saysThatCardHasChip)
        guard case .encrypted(let data, let masked) = reading.account else {
            Issue.record("not encrypted")
            return
        }
        #expect(masked?.text == "4761********0043")
        #expect(hex(data.keySerialNumber) == "FFFFFF0200110940000F")
        #expect(data.parts.mapValues(\.count) == [.track1: 80, .track2: 40])
        #expect(data.scheme == .tdesDUKPT)
    }

    private static let capture = """
        5669564f74656368320002000179e8dfee25020011dfee23820138023201801f4f2800a39b252a343736312a2a2a2a2a
        2a2a2a303034335e554154205553412f5445535420434152442030322020202020205e323431322a2a2a2a2a2a2a2a2a
        2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a3f2a3b343736312a2a2a2a2a2a2a2a303034333d323431322a2a2a2a2a2a
        2a2a2a2a2a2a2a2a2a2a3f2a38047053c538669d53a00c538d71234ef4869898eaea0d0f92ec5ba3825ec225c29dee9b
        7f878b0e7afb16955678bfdd8c9f628311d2158b40bb553dca6d9a197dc7954b10d9c977636d49d692aed1802f33f503
        3ce7f7ddee87fe9b6554eade63862f1aa4f6c44f04aa91c5876875083e791b510c6d1b89000000000000000000000000
        0000000000000000000000000000000000000000000000000000000033313054303631303430ffffff0200110940000f
        ae68039f390190ffee0105dfee30010cdfee2602e8009f02060000000000009f0306000000000000df5b01059a032311
        169f2103202609c6b8
        """
}
