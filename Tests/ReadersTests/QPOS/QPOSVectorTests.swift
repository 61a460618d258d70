import BERTLV
import EMV
import ReaderWire
import Testing
import Transport

@testable import Readers

/// The driver against the published frames (the vendor's host code, and answers computed by its rules).
@Suite("QPOS frames of the driver")
struct QPOSVectorTests {
    private typealias Step = ScriptedTransport.Step
    private let clock = VirtualClock()

    private static let opening: [Step] = [
        .expect(bytes("4D 00 06 20 00 00 0F 00 00 64")), .give(bytes("4D 00 06 24 00 00 00 00 00 6F")),
        .expect(bytes("4D 00 06 21 10 00 05 00 00 7F")), .give(frame(0x24, 0x10, 0x00, "00 03 51 50 31 00 00")),
        .expect(bytes("4D 00 06 21 11 30 05 00 00 4E")),
        .give(frame(0x24, 0x11, 0x30, "04 42 4F 4F 54 04 31 2E 30 30 03 41 32 37")),
    ]

    private static func frame(_ id: UInt8, _ code: UInt8, _ subCode: UInt8, _ data: String = "") -> [UInt8] {
        QPOSFrame(id: id, command: code, subCommand: subCode, data: bytes(data)).bytes
    }

    private static let query = Step.expect(bytes("4D 00 06 22 00 00 5A 00 00 33"))
    private static let busy = Step.give(bytes("4D 00 06 23 16 20 00 00 00 5E"))
    private static let chipInserted = Step.give(bytes("4D 00 07 24 16 20 00 00 01 01 58"))
    private static let goOnline = Step.give(
        bytes(
            "4D 00 2D 24 16 30 00 00 27 00 00 03 06 00 00 00 1F 9F 27 01 80 9F 36 02 00 01 9F 26 08 11 22 33 44 55 66 77 88"
                + "95 05 00 00 00 00 00 9B 02 E8 00 14"))

    /// 115.00 MXN on 2026-11-30 at 12:34:56, any interface; the reader has 30 s.
    private static let start = Step.expect(
        bytes(
            "4D 00 35 21 16 20 1E 00 2F 05 31 31 35 30 30 08 00 01 07 20 26 11 30 12 34 56 00 00 00 00 01 01 04 84"
                + "00 00 00 00 00 01 00 06 31 34 31 32 31 37 D0 07 25 22 13 30 2D 30 5E"))
    private static let startChip = Step.expect(
        bytes(
            "4D 00 22 21 16 30 3C 00 1C 00 01 20 26 11 30 12 34 56 FF FF F1 15 00 00 00 04 84 06 31 31 35 30 30 00 01 00 14"
                + "5C"))

    private func opened(_ steps: [Step]) async throws -> (ScriptedTransport, QPOSReader) {
        let script = ScriptedTransport(
            Self.opening + steps, clock: clock,
            traits: TransportTraits(packetSize: 1, hasEvents: false, hasControl: false))
        let reader = try await QPOSReader.open(
            script, model: "QPOS", clock: clock, until: .after(.seconds(10), on: clock))
        return (script, reader)
    }

    private func begin(_ reader: QPOSReader) async throws -> ReaderStop {
        try await reader.start(StreamBed.payment, prompt: { _ in }, cardWait: .after(.seconds(30), on: clock))
    }

    private func ended(_ script: ScriptedTransport) {
        #expect(script.mismatch == nil)
        #expect(script.remainingSteps == 0)
    }

    @Test func `the reader is reset and asked who it is`() async throws {
        let (script, reader) = try await opened([])
        #expect(reader.identity.readerID == "QP1")
        #expect(reader.identity.firmware == "1.00")
        #expect(reader.identity.hardware == "A27")
        ended(script)
    }

    @Test func `a chip sale in one frame, approved`() async throws {
        let (script, reader) = try await opened([
            Self.start, Self.busy, Self.query, Self.busy, Self.query, Self.chipInserted, Self.startChip, Self.goOnline,
            .expect(bytes("4D 00 0A 21 16 40 1E 00 04 8A 02 30 30 A2")),
            .give(bytes("4D 00 16 24 16 40 00 00 10 00 00 01 03 00 00 00 08 9F 27 01 40 8A 02 30 30 42")),
        ])
        let online = try await begin(reader)
        #expect(online.name == "online, contactChip")
        #expect(online.reading?.value(of: 0x9F26) == bytes("11 22 33 44 55 66 77 88"))
        #expect(online.reading?.value(of: 0x9F36) == bytes("00 01"))
        #expect(online.reading?.account.lastFour == nil)
        let end = try await reader.complete(StreamBed.approval, until: .after(.seconds(30), on: clock))
        #expect(end.name == "approved")
        #expect(end.reading?.value(of: 0x9F27) == [0x40])
        ended(script)
    }

    @Test func `the same in two parts, cut within an object`() async throws {
        let (script, reader) = try await opened([
            Self.start, Self.chipInserted, Self.startChip,
            .give(bytes("4D 00 16 36 16 30 00 00 10 00 00 03 06 00 00 00 1F 9F 27 01 80 9F 36 02 00 D3")),
            .expect(bytes("4D 00 06 36 00 00 5A 00 00 27")),
            .give(
                bytes(
                    "4D 00 1D 24 16 30 00 00 17 01 9F 26 08 11 22 33 44 55 66 77 88 95 05 00 00 00 00 00 9B 02 E8 00 9C"
                )),
        ])
        let online = try await begin(reader)
        #expect(online.reading?.value(of: 0x9F36) == bytes("00 01"))
        #expect(online.reading?.value(of: 0x9B) == bytes("E8 00"))
        ended(script)
    }

    @Test func `an application is chosen by its place`() async throws {
        let (script, reader) = try await opened([
            Self.start, Self.chipInserted, Self.startChip,
            .give(
                bytes("4D 00 1B 24 16 30 02 00 15 02 00 00 04 56 49 53 41 00 00 0A 4D 41 53 54 45 52 43 41 52 44 4A")),
            .expect(bytes("4D 00 07 21 16 31 1E 00 01 01 52")),
            .give(Self.frame(0x24, 0x16, 0x31, "00 00 02 05 00 00 00 04 9F 27 01 00")),
        ])
        let stop = try await begin(reader)
        #expect(stop.name == "choice of VISA, MASTERCARD")
        #expect(try await reader.choose(1, until: .after(.seconds(30), on: clock)).name == "declined")
        ended(script)
    }

    @Test func `a swipe gives its masked number and its key serial number`() async throws {
        let swipe = bytes(
            "4D 00 34 24 16 20 00 00 2E 00 00 00 00 00 00 10 34 37 36 31 2A 2A 2A 2A 2A 2A 2A 2A 30 30 34 33 04 32 34 31 32"
                + "03 32 30 31 00 00 0A FF FF FF 02 00 11 09 40 00 0F 00 C7")
        let payment = StreamBed.payment(interfaces: [.magneticStripe])
        let (script, reader) = try await opened([Self.start, .give(swipe)])
        // Service code 201: the card has a chip, which this payment may not use.
        let stop = try await reader.start(payment, prompt: { _ in }, cardWait: .after(.seconds(30), on: clock))
        #expect(stop.name == "fallbackNotAllowed")
        ended(script)
        let card = try #require(QPOSFrame(parsing: swipe).flatMap { QPOSCardData(parsing: $0.data) })
        let reading = card.stripe(.magneticStripe)
        #expect(reading.account.lastFour == "0043")
        #expect(reading.serviceCode == "201")
    }

    @Test(arguments: [(UInt8(0x80), "online, contactlessChip"), (0x40, "approved"), (0x00, "declined")])
    func `the cryptogram of a tapped card decides, whatever the card state says`(
        type: UInt8, expected: String
    ) async throws {
        for state: UInt8 in [0x03, 0x04, 0x05] {
            let (script, reader) = try await opened([
                Self.start, .give(QPOSFrame(id: 0x24, command: 0x16, subCommand: 0x20, data: [state]).bytes),
                .expect(bytes("4D 00 0A 21 16 51 3C 00 04 00 01 01 00 19")),
                .give(
                    QPOSFrame(
                        id: 0x24, command: 0x16, subCommand: 0x51, data: bytes("9F 27 01") + [type]
                    ).bytes),
            ])
            #expect(try await begin(reader).name == expected)
            ended(script)
        }
    }

    @Test func `a wait that ends is cancelled at the reader`() async throws {
        let (script, reader) = try await opened([
            .expect(Self.retimed(Self.start, 1)), .timeOut(partial: []),
            .expect(bytes("4D 00 06 28 00 00 05 00 00 66")), .give(bytes("4D 00 06 28 16 20 00 00 00 55")),
        ])
        await #expect(throws: ReaderError(.cardNotInserted, during: "")) {
            _ = try await reader.start(StreamBed.payment, prompt: { _ in }, cardWait: .after(.seconds(1), on: clock))
        }
        ended(script)
    }

    private static func retimed(_ step: Step, _ timeout: UInt8) -> [UInt8] {
        guard case .expect(let frame) = step, var parsed = QPOSFrame(parsing: frame) else { return [] }
        parsed.timeoutOrResult = timeout
        return parsed.bytes
    }

    @Test func `the reader's own time-out means that no card came`() async throws {
        let (script, reader) = try await opened([Self.start, .give(bytes("4D 00 06 25 16 20 00 00 00 58"))])
        await #expect(throws: ReaderError(.cardNotInserted, during: "")) { _ = try await begin(reader) }
        ended(script)
    }

    @Test func `what the reader saw damaged is sent once more`() async throws {
        let (script, reader) = try await opened([
            Self.start, .give(bytes("4D 00 06 27 16 20 00 00 00 5A")), Self.start, Self.chipInserted, Self.startChip,
            Self.goOnline,
        ])
        #expect(try await begin(reader).name == "online, contactChip")
        ended(script)
    }

    @Test func `bare commands go to the chip`() async throws {
        let (script, reader) = try await opened([
            .expect(bytes("4D 00 08 21 16 60 0A 00 02 00 00 1A")), .give(Self.frame(0x24, 0x16, 0x60, "3B 00")),
            .expect(bytes("4D 00 1A 21 16 70 0A 00 14 00 A4 04 00 0E 31 50 41 59 2E 53 59 53 2E 44 44 46 30 31 00 C7")),
            .give(Self.frame(0x24, 0x16, 0x70, "6A 82")),
            .expect(bytes("4D 00 06 21 16 80 0A 00 00 F6")), .give(bytes("4D 00 06 24 16 80 00 00 00 F9")),
            .expect(bytes("4D 00 07 21 17 00 0A 00 01 00 77")), .give(Self.frame(0x25, 0x17, 0x00)),
        ])
        let limit = Deadline.after(.seconds(30), on: clock)
        #expect(try await reader.powerOnChip(until: limit) == [0x3B, 0x00])
        #expect(try await reader.transmit(selectPSE, until: limit).bytes == [0x6A, 0x82])
        await reader.powerOffChip()
        await #expect(throws: ReaderError(.cardNotInserted, during: "")) {
            _ = try await reader.powerOnContactless(until: limit)
        }
        ended(script)
    }
}
