import BERTLV
import EMV
import FirmwareCores
import InProcessMock
import ReaderWire
import Testing
import Transport

@testable import Readers

extension StreamBed {
    static func mpi(_ options: [String: String] = [:]) throws -> StreamBed {
        StreamBed(try MPIFirmware.make(options: options))
    }

    func openMPI(_ form: MPIReader.LinkForm = .usb) async throws -> MPIReader {
        try await MPIReader.open(device.openStream(), form: form, model: "Mock", clock: clock, until: after(10))
    }

    /// Commands that the host sent, by class and instruction.
    var mpiCommands: [String] {
        pieces.compactMap { piece in piece.count > 5 ? hex2(piece[3]) + hex2(piece[4]) : nil }
    }
}

/// The driver with a mock reader that behaves.
@Suite("MPI sales")
struct MPISaleTests {
    @Test func `a card that comes later is approved online`() async throws {
        let bed = try StreamBed.mpi()
        let reader = try await bed.openMPI()
        #expect(reader.identity.serialNumber == "01234567")
        bed.steer("after 2500 insert visa-credit")
        let online = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        #expect(online.name == "online, contactChip")
        let reading = try #require(online.reading)
        #expect(reading.account.lastFour == "0119")
        #expect(reading.value(of: 0x9F02) == bytes("00 00 00 01 15 00"))
        #expect(reading.value(of: 0x9A) == bytes("26 11 30"))
        #expect(reading.value(of: 0x5F2A) == bytes("04 84"))
        #expect(try await reader.complete(StreamBed.approval, until: bed.after(30)).name == "approved")
        #expect(bed.prompts == [.presentCard, .doNotRemoveCard])
        await reader.close()
        #expect(bed.mpiCommands == ["d000", "d002", "d060", "dec1", "d0ff", "ded1", "ded2", "d0c0"])
        #expect(!bed.hasTransfersInFlight)
    }

    @Test(arguments: ["abort", "transaction", "both"])
    func `whatever answers an abort, the next command gets its own answer`(abort: String) async throws {
        let bed = try StreamBed.mpi(["abort": abort])
        let reader = try await bed.openMPI()
        bed.steer("after 900 insert visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
        bed.steer("remove")
        #expect(await bed.code { _ = try await bed.sale(reader, seconds: 5) } == .cardNotInserted)
        bed.steer("after 900 tap visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
    }

    @Test(arguments: [
        ("visa-credit", "declined"), ("declines-first", "declined"), ("blocked-card", "notAccepted"),
        ("blocked-application", "notAccepted"), ("bad-afl", "cardFault"), ("mute", "fallbackNotAllowed"),
    ])
    func `a sale that is not approved ends as it should`(card: String, expected: String) async throws {
        let bed = try StreamBed.mpi(["card": card])
        let reader = try await bed.openMPI()
        #expect(try await bed.sale(reader, answer: StreamBed.refusal).name == expected)
    }

    @Test func `an approval that the card does not take is none`() async throws {
        let bed = try StreamBed.mpi(["card": "declines-second"])
        let reader = try await bed.openMPI()
        #expect(try await bed.sale(reader).name == "declined")
    }

    @Test(arguments: ["pulled-first", "pulled-second"])
    func `a card that is pulled is a removed card`(card: String) async throws {
        let bed = try StreamBed.mpi(["card": card])
        let reader = try await bed.openMPI()
        #expect(await bed.code { _ = try await bed.sale(reader) } == .cardRemoved)
    }

    @Test(arguments: ["yes", "no"])
    func `the cardholder chooses among applications, in E2 and in VIPA's EA`(vipa: String) async throws {
        let bed = try StreamBed.mpi(["card": "two-applications", "vipa": vipa])
        let reader = try await bed.openMPI()
        let choice = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        #expect(choice.name == "choice of VISA DEBIT, VISA CREDIT")
        let online = try await reader.choose(1, until: bed.after(60))
        #expect(online.reading?.value(of: 0x4F) == bytes("A0000000031010"))
        #expect(try await reader.complete(StreamBed.approval, until: bed.after(30)).name == "approved")
        #expect(await bed.code { _ = try await reader.choose(0, until: bed.after(60)) } == .unsupported)
    }

    @Test func `a tapped card is told of the issuer's answer`() async throws {
        let bed = try StreamBed.mpi()
        let reader = try await bed.openMPI()
        bed.steer("after 700 tap visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
        #expect(bed.mpiCommands.suffix(2) == ["dec1", "ded2"])
        bed.steer("after 700 tap visa-credit")
        #expect(try await bed.sale(reader, answer: StreamBed.refusal).name == "declined")
    }

    @Test(arguments: ["tdes", "masked", "clear"], ["inserted", "tapped", "swiped"])
    func `the account is what the reader secures it to be`(sred: String, entry: String) async throws {
        let bed = try StreamBed.mpi(["sred": sred])
        let reader = try await bed.openMPI()
        let verb = ["inserted": "insert", "tapped": "tap", "swiped": "swipe"][entry] ?? ""
        bed.steer("after 500 \(verb) visa-credit\(entry == "swiped" ? " 101" : "")")
        let stop = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        let reading = try #require(stop.reading)
        #expect(reading.account.lastFour == "0119")
        switch reading.account {
        case .clear: #expect(sred == "clear")
        case .withheld(let masked): #expect(sred == "masked" && masked != nil)
        case .encrypted(let data, let masked):
            #expect(sred == "tdes" && masked?.text == "476173******0119")
            #expect(data.keySerialNumber == bytes("FFFF9876543210E00001"))
            let part = try #require(data.parts[entry == "swiped" ? .track2 : .track2Equivalent])
            let plain = AccountSecuring.KeyLadder.test.decrypt(part, keySerialNumber: data.keySerialNumber)
            #expect(plain != part && plain.count == part.count)
        }
        for tag: BERTLV.Tag in [0x57, 0x5A, 0x5F21, 0x5F22, 0xDFAE02, 0xDFAE57, 0xDFAE22] {
            #expect(reading.value(of: tag) == nil)
        }
    }

    @Test func `the stripe of a chip card asks for the chip first`() async throws {
        let bed = try StreamBed.mpi()
        let reader = try await bed.openMPI()
        bed.steer("after 500 swipe visa-credit")
        bed.steer("after 3000 insert visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
        #expect(bed.prompts == [.presentCard, .useChip, .doNotRemoveCard])
    }

    @Test func `a chip that cannot be read lets the stripe in where that is allowed`() async throws {
        let bed = try StreamBed.mpi(["card": "mute"])
        let reader = try await bed.openMPI()
        bed.steer("after 3000 remove")
        bed.steer("after 6000 swipe visa-credit")
        let stop = try await reader.start(
            StreamBed.payment(isFallbackAllowed: true), prompt: bed.prompt, cardWait: bed.after(60))
        #expect(stop.name == "online, fallbackStripe")
        #expect(bed.prompts == [.presentCard, .useStripe])
        #expect(try await reader.complete(StreamBed.approval, until: bed.after(30)).name == "approved")
    }

    @Test func `a stripe that the payment does not use is refused`() async throws {
        let bed = try StreamBed.mpi()
        let reader = try await bed.openMPI()
        bed.steer("after 500 swipe visa-credit 101")
        let payment = StreamBed.payment(interfaces: [.contact, .contactless])
        #expect(
            await bed.code { _ = try await reader.start(payment, prompt: bed.prompt, cardWait: bed.after(5)) }
                == .cardNotInserted)
        #expect(bed.prompts == [.presentCard, .presentCard])
    }

    @Test func `only the slot is waited for where only the slot is wanted`() async throws {
        let bed = try StreamBed.mpi()
        let reader = try await bed.openMPI()
        bed.steer("after 500 insert visa-credit")
        let payment = StreamBed.payment(.refund, interfaces: [.contact])
        let stop = try await reader.start(payment, prompt: bed.prompt, cardWait: bed.after(20))
        #expect(stop.reading?.value(of: 0x9C) == [0x20])
        #expect(!bed.mpiCommands.contains("dec1"))
        #expect(bed.prompts == [.insertCard, .doNotRemoveCard])
    }

    @Test func `a reader that tells nothing of its slot waits by itself`() async throws {
        let bed = try StreamBed.mpi(["card-status": "no"])
        let reader = try await bed.openMPI()
        bed.steer("after 900 insert visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
        #expect(try await reader.waitForCardRemoval(until: bed.after(5)))
        bed.steer("remove")
        #expect(await bed.code { _ = try await bed.sale(reader, seconds: 5) } == .cardNotInserted)
    }

    @Test func `a terminal on the network says that it is on before it is asked`() async throws {
        let bed = try StreamBed.mpi(["vipa": "yes", "card": "visa-credit"])
        let reader = try await bed.openMPI(.network)
        #expect(reader.identity.software == "VIPA")
        #expect(try await bed.sale(reader).name == "approved")
        await reader.close()
        #expect(!bed.mpiCommands.contains("d0c0"))
    }

    @Test func `nobody comes`() async throws {
        let bed = try StreamBed.mpi()
        let reader = try await bed.openMPI()
        let spent = await bed.duration {
            #expect(await bed.code { _ = try await bed.sale(reader, seconds: 20) } == .cardNotInserted)
        }
        #expect(spent >= .seconds(20) && spent <= .seconds(22))
        #expect(bed.mpiCommands.last == "d0ff")
        bed.steer("insert visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
    }

    @Test func `a cancel before the card is told to the reader`() async throws {
        let bed = try StreamBed.mpi()
        let reader = try await bed.openMPI()
        // Card status, DE C1.
        let code = await bed.cancelling(afterSend: 2) { await bed.code { _ = try await bed.sale(reader) } }
        #expect(code == .cancelled)
        #expect(bed.mpiCommands.last == "d0ff")
        bed.steer("insert visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
    }

    /// The card's own decision stands; an ARQC that crossed the abort has asked nobody yet.
    @Test(arguments: [("declines-first", "declined"), ("visa-credit", "cancelled")])
    func `a cancel that comes too late changes nothing`(card: String, expected: String) async throws {
        let bed = try StreamBed.mpi(["card": card])
        let reader = try await bed.openMPI()
        // Card status, DE C1, abort, DE D1: its answer is on its way.
        bed.steer("fault 4 late 100")
        let start = await bed.cancelling(afterSend: 4) { () async -> String in
            do {
                return try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60)).name
            } catch {
                return (error as? ReaderError)?.code.rawValue ?? ""
            }
        }
        #expect(start == expected)
        #expect(bed.mpiCommands.last == "d0ff")
        #expect(
            await bed.code { _ = try await reader.complete(StreamBed.approval, until: bed.after(5)) } == .unsupported)
    }

    @Test func `a cancel while the issuer's answer is given changes nothing`() async throws {
        let bed = try StreamBed.mpi(["card": "visa-credit"])
        let reader = try await bed.openMPI()
        _ = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        bed.steer("fault next late 300")
        let complete = await bed.cancelling(afterSend: 1) {
            try? await reader.complete(StreamBed.approval, until: bed.after(30)).name
        }
        #expect(complete == "approved")
        #expect(bed.mpiCommands.last == "ded2")
    }

    @Test func `the cancel key at the reader is the cardholder's`() async throws {
        let bed = try StreamBed.mpi()
        let reader = try await bed.openMPI()
        bed.steer("after 900 press-cancel")
        #expect(try await bed.sale(reader).name == "cancelledByCardholder")
    }

    @Test func `removal is waited for by the reader's messages`() async throws {
        let bed = try StreamBed.mpi(["card": "visa-credit"])
        let reader = try await bed.openMPI()
        #expect(try await bed.sale(reader).name == "approved")
        #expect(try await reader.waitForCardRemoval(until: bed.after(3)) == false)
        bed.steer("after 2000 remove")
        #expect(try await reader.waitForCardRemoval(until: bed.after(10)))
        #expect(try await reader.waitForCardRemoval(until: bed.after(10)))
    }

    @Test func `an abandoned payment leaves nothing at the reader`() async throws {
        let bed = try StreamBed.mpi(["card": "visa-credit"])
        let reader = try await bed.openMPI()
        _ = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        await reader.abandon()
        #expect(bed.mpiCommands.last == "d0ff")
        #expect(
            await bed.code { _ = try await reader.complete(StreamBed.approval, until: bed.after(5)) } == .unsupported)
        #expect(try await bed.sale(reader).name == "approved")
        #expect(try await reader.configuration(until: bed.after(5)).count == 16)
    }

    @Test func `identifying changes nothing and closes nothing`() async throws {
        let bed = try StreamBed.mpi()
        let stream = bed.device.openStream()
        for _ in 0..<2 {
            let identity = try await MPIReader.identify(over: stream, clock: bed.clock, until: bed.after(5))
            #expect(identity?.serialNumber == "01234567" && identity?.version == "1-51 Mock")
        }
        #expect(Set(bed.mpiCommands) == ["d002"])
        let other = try StreamBed.qpos()
        #expect(
            try await MPIReader.identify(over: other.device.openStream(), clock: other.clock, until: other.after(5))
                == nil)
        #expect(
            try await QPOSReader.identify(over: bed.device.openStream(), clock: bed.clock, until: bed.after(5)) == nil)
    }

    @Test func `close is final and aborts what is under way`() async throws {
        let bed = try StreamBed.mpi(["card": "visa-credit"])
        let reader = try await bed.openMPI()
        _ = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        await reader.close()
        await reader.close()
        #expect(bed.mpiCommands.suffix(2) == ["d0ff", "d0c0"])
        #expect(await bed.code { _ = try await bed.sale(reader) } == .closed)
    }
}
