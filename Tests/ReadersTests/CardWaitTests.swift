import EMV
import FirmwareCores
import InProcessMock
import Testing
import Transport

@testable import Readers

/// The wait for the card and the dialogue with it have each their own time, at every reader that runs EMV itself.
@Suite("the wait for a card, apart from its dialogue")
struct CardWaitTests {
    static let families = ["neo2", "qpos", "mpi"]
    private static let cardWait = 20
    private static let dialogue = Duration.seconds(30)

    private func opened(_ family: String) async throws -> (StreamBed, any KernelReader) {
        switch family {
        case "neo2":
            let bed = StreamBed(try NEO2SerialCore.make())
            let reader = try await NEO2Reader.open(
                bed.device.openStream(), form: .stream, model: "Mock", clock: bed.clock, until: bed.after(10))
            return (bed, reader)
        case "qpos":
            let bed = try StreamBed.qpos()
            return (bed, try await bed.openQPOS())
        default:
            let bed = try StreamBed.mpi()
            return (bed, try await bed.openMPI())
        }
    }

    /// Starts a payment; `onCard` is done as soon as the reader has told of a card in its slot, or, where a tap is wanted,
    /// before it is asked for one.
    private func start(
        _ reader: any KernelReader, _ bed: StreamBed, _ interfaces: Set<CardInterface> = [.contact],
        onCard: @escaping @Sendable () -> Void = {}
    ) async throws(ReaderError) -> ReaderStop {
        try await reader.start(
            StreamBed.payment(interfaces: interfaces),
            prompt: { prompt in
                bed.prompt(prompt)
                if prompt == .doNotRemoveCard || prompt == .tapCard { onCard() }
            }, patience: CardPatience(cardWait: bed.after(Self.cardWait), dialogue: Self.dialogue))
    }

    @Test("a card of the last instant is read whole, however slowly it answers", arguments: families)
    func lastInstant(family: String) async throws {
        let (bed, reader) = try await opened(family)
        bed.steer("after 19500 insert visa-credit")
        let spent = await bed.duration {
            let stop = try? await start(reader, bed) { bed.steer("fault next late 25000") }
            #expect(stop?.name == "online, contactChip")
        }
        #expect(spent >= .seconds(44) && spent <= .seconds(51), "\(spent)")
        #expect(try await reader.complete(StreamBed.approval, until: bed.after(30)).name == "approved")
        await reader.close()
        #expect(!bed.hasTransfersInFlight)
    }

    @Test("a tap of the last instant is read whole", arguments: families)
    func lastTap(family: String) async throws {
        let (bed, reader) = try await opened(family)
        bed.steer("after 19900 tap visa-credit")
        // The card is decided upon after the end of the wait.
        let stop = try await start(reader, bed, [.contactless]) { bed.steer("fault next late 700") }
        #expect(stop.name == "online, contactlessChip")
        await reader.close()
    }

    @Test("a card in the slot is read in a short wait too, whatever is looked for before", arguments: families)
    func shortWait(family: String) async throws {
        let (bed, reader) = try await opened(family)
        bed.steer("insert visa-credit")
        let stop = try await reader.start(
            StreamBed.payment(interfaces: []), prompt: bed.prompt,
            patience: CardPatience(cardWait: .after(.milliseconds(4_900), on: bed.clock), dialogue: Self.dialogue))
        #expect(stop.name == "online, contactChip")
        await reader.close()
    }

    @Test("without a card the payment ends with the wait for it", arguments: families, [[CardInterface.contact], []])
    func nobody(family: String, interfaces: [CardInterface]) async throws {
        let (bed, reader) = try await opened(family)
        let spent = await bed.duration {
            #expect(await bed.code { _ = try await start(reader, bed, Set(interfaces)) } == .cardNotInserted)
        }
        #expect(spent >= .seconds(20) && spent <= .seconds(22), "\(spent)")
        bed.steer("insert visa-credit")
        #expect(try await start(reader, bed).name == "online, contactChip")
    }

    @Test("a reader that falls silent after the card is silent at the dialogue's deadline", arguments: families)
    func silence(family: String) async throws {
        let (bed, reader) = try await opened(family)
        bed.steer("after 1000 insert visa-credit")
        let spent = await bed.duration {
            let code = await bed.code {
                _ = try await start(reader, bed) { bed.steer("fault next silent") }
            }
            #expect(code == .silent)
        }
        #expect(spent >= .seconds(30) && spent <= .seconds(36), "\(spent)")
        bed.steer("remove")
        bed.steer("insert visa-credit")
        #expect(try await start(reader, bed).name == "online, contactChip")
    }

    @Test("a NEO2 reader that says that it works on a card has the dialogue's time")
    func interim() async throws {
        let bed = StreamBed(try NEO2SerialCore.make(options: ["chatty": "yes"]))
        let reader = try await NEO2Reader.open(
            bed.device.openStream(), form: .stream, model: "Mock", clock: bed.clock, until: bed.after(10))
        bed.steer("after 19500 tap visa-credit")
        bed.steer("fault next late 25000")
        #expect(try await start(reader, bed, [.contactless]).name == "online, contactlessChip")
        bed.steer("after 1000 tap visa-credit")
        bed.steer("fault next silent")
        let spent = await bed.duration {
            #expect(await bed.code { _ = try await start(reader, bed, [.contactless]) } == .silent)
        }
        #expect(spent >= .seconds(30) && spent <= .seconds(34), "\(spent)")
    }

    @Test("the reader's own time-out is the wait for the card: whole seconds, rounded up")
    func timeout() async throws {
        let bed = try StreamBed.qpos()
        let reader = try await bed.openQPOS()
        _ = try? await reader.start(
            StreamBed.payment, prompt: { _ in },
            patience: CardPatience(cardWait: .after(.milliseconds(7_400), on: bed.clock), dialogue: .seconds(90)))
        let start = bed.pieces.compactMap { QPOSStart($0) }
        #expect(start == [QPOSStart(seconds: 8)])
    }

    @Test("a wait that is longer than the reader can count is begun again")
    func longWait() async throws {
        let bed = try StreamBed.qpos()
        let reader = try await bed.openQPOS()
        bed.steer("after 400000 insert visa-credit")
        let stop = try await reader.start(
            StreamBed.payment, prompt: { _ in },
            patience: CardPatience(cardWait: bed.after(600), dialogue: Self.dialogue))
        #expect(stop.name == "online, contactChip")
        #expect(bed.pieces.compactMap { QPOSStart($0) } == [QPOSStart(seconds: 255), QPOSStart(seconds: 255)])
    }

    /// The time-out of a 16-20.
    private struct QPOSStart: Equatable {
        let seconds: UInt8

        init(seconds: UInt8) { self.seconds = seconds }

        init?(_ piece: [UInt8]) {
            guard piece.count > 6, piece[3] == 0x21, piece[4] == 0x16, piece[5] == 0x20 else { return nil }
            seconds = piece[6]
        }
    }
}
