import BERTLV
import EMV
import FirmwareCores
import InProcessMock
import Money
import ReaderWire
import Testing
import Transport

@testable import Readers

extension StreamBed {
    static func qpos(_ options: [String: String] = [:]) throws -> StreamBed {
        StreamBed(try QPOSFirmware.make(options: options))
    }

    func openQPOS() async throws -> QPOSReader {
        try await QPOSReader.open(device.openStream(), model: "Mock", clock: clock, until: after(10))
    }

    /// Frames that the host sent, by id, or by code where it is a command.
    var qposRequests: [String] {
        pieces.compactMap { QPOSFrame(parsing: $0) }.map { frame in
            frame.id == 0x21 ? "\(hex2(frame.command))-\(hex2(frame.subCommand))" : hex2(frame.id)
        }
    }

    /// A whole sale, as far as it goes.
    func sale(
        _ reader: any KernelReader, _ payment: ReaderPayment = StreamBed.payment, seconds: Int = 60,
        answer: HostAnswer = StreamBed.approval
    ) async throws -> ReaderStop {
        let stop = try await reader.start(payment, prompt: prompt, cardWait: after(seconds))
        guard case .online = stop else { return stop }
        return try await reader.complete(answer, until: after(30))
    }
}

/// The driver with a mock reader that behaves.
@Suite("QPOS sales")
struct QPOSSaleTests {
    @Test func `a card that comes later is approved online`() async throws {
        let bed = try StreamBed.qpos()
        let reader = try await bed.openQPOS()
        bed.steer("after 2500 insert visa-credit")
        let online = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        #expect(online.name == "online, contactChip")
        let reading = try #require(online.reading)
        #expect(reading.account.lastFour == "0119")
        #expect(reading.value(of: 0x9F27) == [0x80])
        #expect(reading.value(of: 0x9F02) == bytes("00 00 00 01 15 00"))
        #expect(reading.value(of: 0x9A) == bytes("26 11 30"))
        #expect(reading.value(of: 0x9C) == [0x00])
        #expect(reading.value(of: 0x5F2A) == bytes("04 84"))
        #expect(try await reader.complete(StreamBed.approval, until: bed.after(30)).name == "approved")
        #expect(bed.prompts == [.presentCard, .doNotRemoveCard])
        await reader.close()
        #expect(!bed.hasTransfersInFlight)
        #expect(bed.qposRequests.filter { $0 != "22" } == ["20", "10-00", "11-30", "16-20", "16-30", "16-40"])
    }

    @Test(arguments: [
        ("visa-credit", "declined"), ("declines-first", "declined"), ("blocked-card", "notAccepted"),
        ("blocked-application", "notAccepted"), ("bad-afl", "cardFault"), ("mute", "fallbackNotAllowed"),
    ])
    func `a sale that is not approved ends as it should`(card: String, expected: String) async throws {
        let bed = try StreamBed.qpos(["card": card])
        let reader = try await bed.openQPOS()
        #expect(try await bed.sale(reader, answer: StreamBed.refusal).name == expected)
    }

    @Test(arguments: ["declines-second", "pulled-second"])
    func `an approval that the card does not take is none`(card: String) async throws {
        let bed = try StreamBed.qpos(["card": card])
        let reader = try await bed.openQPOS()
        let stop = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        #expect(stop.name == "online, contactChip")
        do throws(ReaderError) {
            #expect(try await reader.complete(StreamBed.approval, until: bed.after(30)).name == "declined")
        } catch {
            #expect(card == "pulled-second" && error.code == .cardRemoved)
        }
    }

    @Test func `a card pulled before its first cryptogram is a removed card`() async throws {
        let bed = try StreamBed.qpos(["card": "pulled-first"])
        let reader = try await bed.openQPOS()
        #expect(await bed.code { _ = try await bed.sale(reader) } == .cardRemoved)
    }

    @Test func `the cardholder chooses among applications`() async throws {
        let bed = try StreamBed.qpos(["card": "two-applications"])
        let reader = try await bed.openQPOS()
        let choice = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        #expect(choice.name == "choice of VISA DEBIT, VISA CREDIT")
        let online = try await reader.choose(1, until: bed.after(60))
        #expect(online.reading?.value(of: 0x4F) == bytes("A0000000031010"))
        #expect(await bed.code { _ = try await reader.choose(0, until: bed.after(60)) } == .unsupported)
    }

    @Test(arguments: ["tdes", "masked", "clear"])
    func `a tapped card is approved by the host's word`(sred: String) async throws {
        let bed = try StreamBed.qpos(["card": "visa-credit", "entry": "tapped", "sred": sred])
        let reader = try await bed.openQPOS()
        let online = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        #expect(online.name == "online, contactlessChip")
        #expect(online.reading?.account.lastFour == "0119")
        #expect(online.reading?.value(of: 0x9F26)?.count == 8)
        #expect(try await reader.complete(StreamBed.approval, until: bed.after(30)).name == "approved")
    }

    /// SRED: the number in clear is never needed, and shown only by a reader that secures nothing.
    @Test(arguments: ["tdes", "masked", "clear"], ["inserted", "tapped", "swiped"])
    func `the account is what the reader secures it to be`(sred: String, entry: String) async throws {
        let bed = try StreamBed.qpos(["sred": sred])
        let reader = try await bed.openQPOS()
        bed.steer(
            entry == "swiped"
                ? "after 500 swipe visa-credit 101" : "after 500 \(entry == "tapped" ? "tap" : "insert") visa-credit")
        let stop = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        let account = try #require(stop.reading?.account)
        #expect(account.lastFour == "0119")
        switch account {
        case .clear: #expect(sred == "clear")
        case .withheld(let masked): #expect(sred == "masked" && masked != nil)
        case .encrypted(let data, let masked):
            #expect(sred == "tdes" && masked?.text == "476173******0119")
            #expect(data.keySerialNumber == bytes("FFFF9876543210E00001"))
            #expect(data.parts[entry == "swiped" ? .track2 : .track2Equivalent] != nil)
        }
        #expect(stop.reading?.serviceCode == (entry == "swiped" && sred != "masked" ? "101" : nil))
    }

    @Test func `the stripe of a chip card asks for the chip first`() async throws {
        let bed = try StreamBed.qpos()
        let reader = try await bed.openQPOS()
        bed.steer("after 500 swipe visa-credit")
        bed.steer("after 3000 insert visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
        #expect(bed.prompts == [.presentCard, .useChip, .doNotRemoveCard])
    }

    @Test func `a chip that cannot be read lets the stripe in where that is allowed`() async throws {
        let bed = try StreamBed.qpos(["card": "mute"])
        let reader = try await bed.openQPOS()
        bed.steer("after 3000 remove")
        bed.steer("after 6000 swipe visa-credit")
        let stop = try await reader.start(
            StreamBed.payment(isFallbackAllowed: true), prompt: bed.prompt, cardWait: bed.after(60))
        #expect(stop.name == "online, fallbackStripe")
        #expect(stop.reading?.account.lastFour == "0119")
        #expect(bed.prompts.filter { $0 != .removeCard } == [.presentCard, .doNotRemoveCard, .useStripe])
        #expect(bed.prompts.contains(.removeCard))
        #expect(try await reader.complete(StreamBed.refusal, until: bed.after(30)).name == "declined")
    }

    @Test func `an interface that the payment does not use is refused`() async throws {
        let bed = try StreamBed.qpos()
        let reader = try await bed.openQPOS()
        bed.steer("after 500 swipe visa-credit 101")
        bed.steer("after 3000 tap visa-credit")
        let payment = StreamBed.payment(interfaces: [.contactless])
        #expect(
            await bed.code { _ = try await reader.start(payment, prompt: bed.prompt, cardWait: bed.after(2)) }
                == .cardNotInserted)
        let both = StreamBed.payment(interfaces: [.contact, .contactless])
        let stop = try await reader.start(both, prompt: bed.prompt, cardWait: bed.after(20))
        #expect(stop.name == "online, contactlessChip")
    }

    @Test func `a refund is announced as one`() async throws {
        let bed = try StreamBed.qpos(["card": "visa-credit"])
        let reader = try await bed.openQPOS()
        let stop = try await reader.start(StreamBed.payment(.refund), prompt: bed.prompt, cardWait: bed.after(60))
        #expect(stop.reading?.value(of: 0x9C) == [0x20])
    }

    @Test(arguments: [Int64(1), 99_999_999, 100_000_000, 999_999_999_999])
    func `an amount of any length arrives`(minorUnits: Int64) async throws {
        let bed = try StreamBed.qpos(["card": "visa-credit"])
        let reader = try await bed.openQPOS()
        let stop = try await reader.start(
            StreamBed.payment(minorUnits: minorUnits), prompt: bed.prompt, cardWait: bed.after(60))
        #expect(stop.reading?.value(of: 0x9F02) == StreamBed.payment(minorUnits: minorUnits).amount.bcd12)
    }

    @Test(arguments: ["busy": "3", "part": "7", "hold": "0", "eager": "yes"].map { ($0.key, $0.value) })
    func `busy readers, answers in parts, and held or eager ones are all the same`(
        option: String, value: String
    ) async throws {
        let bed = try StreamBed.qpos([option: value])
        let reader = try await bed.openQPOS()
        bed.steer("after 1200 insert visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
    }

    @Test func `nobody comes`() async throws {
        let bed = try StreamBed.qpos()
        let reader = try await bed.openQPOS()
        let spent = await bed.duration {
            #expect(await bed.code { _ = try await bed.sale(reader, seconds: 20) } == .cardNotInserted)
        }
        // The reader ends the wait itself.
        #expect(spent >= .seconds(20) && spent <= .seconds(21))
        #expect(!bed.qposRequests.contains("28"))
        bed.steer("insert visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
    }

    @Test func `a cancel before the card is told to the reader`() async throws {
        let bed = try StreamBed.qpos()
        let reader = try await bed.openQPOS()
        let code = await bed.cancelling(afterSend: 3) { await bed.code { _ = try await bed.sale(reader) } }
        #expect(code == .cancelled)
        #expect(bed.qposRequests.last == "28")
        #expect(!bed.hasTransfersInFlight)
        bed.steer("insert visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
    }

    @Test func `a cancel that comes too late changes nothing`() async throws {
        let bed = try StreamBed.qpos(["card": "visa-credit", "busy": "1"])
        let reader = try await bed.openQPOS()
        // 16-20, query, 16-30: the chip has decided when the cancel comes.
        let start = await bed.cancelling(afterSend: 3) {
            try? await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60)).name
        }
        #expect(start == "online, contactChip")
        #expect(bed.qposRequests.last == "28")
        let complete = await bed.cancelling(afterSend: 1) {
            try? await reader.complete(StreamBed.approval, until: bed.after(30)).name
        }
        #expect(complete == "approved")
    }

    @Test func `the cancel key at the reader is the cardholder's`() async throws {
        let bed = try StreamBed.qpos()
        let reader = try await bed.openQPOS()
        bed.steer("after 900 press-cancel")
        #expect(try await bed.sale(reader).name == "cancelledByCardholder")
    }

    @Test func `what the reader waits for is told`() async throws {
        let bed = try StreamBed.qpos()
        let reader = try await bed.openQPOS()
        for (index, notice) in ["41", "42", "43", "52"].enumerated() {
            bed.steer("after \(700 * (index + 1)) notice \(notice)")
        }
        bed.steer("after 4000 insert visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
        #expect(bed.prompts == [.presentCard, .enterPIN, .useChip, .doNotRemoveCard])
    }

    @Test func `an abandoned payment leaves nothing at the reader`() async throws {
        let bed = try StreamBed.qpos(["card": "visa-credit"])
        let reader = try await bed.openQPOS()
        _ = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        await reader.abandon()
        #expect(bed.qposRequests.last == "20")
        #expect(
            await bed.code { _ = try await reader.complete(StreamBed.approval, until: bed.after(5)) } == .unsupported)
        #expect(try await bed.sale(reader).name == "approved")
    }

    @Test func `bare commands reach the card`() async throws {
        let bed = try StreamBed.qpos(["card": "visa-credit"])
        let reader = try await bed.openQPOS()
        let expected = try directAnswer(of: "visa-credit", to: selectPSE)
        #expect(try await reader.powerOnChip(until: bed.after(5)) == expected.reset)
        #expect(try await reader.transmit(selectPSE, until: bed.after(5)).bytes == expected.answer)
        await reader.powerOffChip()
        #expect(await bed.code { _ = try await reader.transmit(selectPSE, until: bed.after(5)) } == .cardMute)
    }

    @Test func `identifying changes nothing and closes nothing`() async throws {
        let bed = try StreamBed.qpos()
        let stream = bed.device.openStream()
        let identity = try await QPOSReader.identify(over: stream, clock: bed.clock, until: bed.after(5))
        #expect(identity?.readerID == "QP000001")
        #expect(identity?.firmware == "QPOS Mock 1.00")
        #expect(bed.qposRequests == ["10-00", "11-30"])
        let again = try await QPOSReader.identify(over: stream, clock: bed.clock, until: bed.after(5))
        #expect(again == identity)
        let other = StreamBed(try NEO2SerialCore.make())
        #expect(
            try await QPOSReader.identify(over: other.device.openStream(), clock: other.clock, until: other.after(5))
                == nil)
    }

    @Test func `close is final and resets what is under way`() async throws {
        let bed = try StreamBed.qpos(["card": "visa-credit"])
        let reader = try await bed.openQPOS()
        _ = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        await reader.close()
        await reader.close()
        #expect(bed.qposRequests.last == "20")
        #expect(await bed.code { _ = try await bed.sale(reader) } == .closed)
    }
}
