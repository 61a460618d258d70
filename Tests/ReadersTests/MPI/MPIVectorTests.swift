import BERTLV
import EMV
import Money
import ReaderWire
import Testing
import Transport

@testable import Readers

/// The driver against the published packets (the vendor's unit tests, and commands computed by their rules).
@Suite("MPI packets of the driver")
struct MPIVectorTests {
    private typealias Step = ScriptedTransport.Step
    private let clock = VirtualClock()

    private static let ok = Step.give(bytes("01 00 02 90 00 93"))
    private static let reset = Step.expect(bytes("01 00 04 D0 00 00 00 D5"))
    private static let information = Step.expect(bytes("01 00 04 D0 02 00 00 D7"))
    private static let cardStatusOn = Step.expect(bytes("01 00 04 D0 60 01 01 B5"))
    private static let abort = Step.expect(bytes("01 00 04 D0 FF 00 00 2A"))
    private static let opening: [Step] = [
        reset, ok, information, answer("E1 0E 9F 1E 03 31 32 33 EF 06 DF 0D 03 4D 50 49"),
    ]

    private static func answer(_ data: String, _ status: String = "90 00", unsolicited: Bool = false) -> Step {
        .give(packets(data, status, unsolicited: unsolicited))
    }

    private static func packets(_ data: String, _ status: String = "90 00", unsolicited: Bool = false) -> [UInt8] {
        MPIPacket.packets(bytes(data + status), isUnsolicited: unsolicited).flatMap(\.bytes)
    }

    /// A card in the slot that answers.
    private static let inserted = packets("E1 04 48 02 03 00", unsolicited: true)

    /// 100.00 MXN on 2023-11-16 at 20:26:09.
    private static let payment = ReaderPayment(
        amount: Amount(minorUnits: 10_000, currency: .mxn) ?? .zero(.mxn),
        time: TransactionTime(year: 2023, month: 11, day: 16, hour: 20, minute: 26, second: 9), interfaces: [.contact])
    private static let start = Step.expect(
        bytes(
            "01 00 23 DE D1 00 00 1E E0 1C 9F 02 06 00 00 00 01 00 00 9A 03 23 11 16 9F 21 03 20 26 09 9C 01 00 5F 2A 02 04 84"
                + "30"))
    private static let online = answer("E4 09 9F 36 02 00 01 9F 27 01 80")

    private func opened(
        _ steps: [Step], form: MPIReader.LinkForm = .usb
    ) async throws -> (ScriptedTransport, MPIReader) {
        let script = ScriptedTransport(
            Self.opening + steps, clock: clock,
            traits: TransportTraits(packetSize: 1, hasEvents: false, hasControl: false))
        let reader = try await MPIReader.open(
            script, form: form, model: "MPI", clock: clock, until: .after(.seconds(10), on: clock))
        return (script, reader)
    }

    private func begin(_ reader: MPIReader) async throws -> ReaderStop {
        try await reader.start(Self.payment, prompt: { _ in }, cardWait: .after(.seconds(30), on: clock))
    }

    private func ended(_ script: ScriptedTransport) {
        #expect(script.mismatch == nil)
        #expect(script.remainingSteps == 0)
    }

    @Test func `the reader is reset, asked who it is, and told when a USB link is closed`() async throws {
        let (script, reader) = try await opened([.expect(bytes("01 00 04 D0 C0 00 00 15")), Self.ok])
        #expect(reader.identity.software == "MPI")
        #expect(reader.identity.serialNumber == "123")
        await reader.close()
        ended(script)
        #expect(script.isClosed)
    }

    @Test func `closing waits two seconds at most`() async throws {
        let (script, reader) = try await opened([.expect(bytes("01 00 04 D0 C0 00 00 15"))])
        let start = clock.now()
        await reader.close()
        #expect(start.duration(to: clock.now()) <= .milliseconds(2010))
        ended(script)
    }

    @Test func `a network link is closed without a word`() async throws {
        let (script, reader) = try await opened([], form: .network)
        await reader.close()
        ended(script)
    }

    @Test func `a sale in the slot`() async throws {
        let (script, reader) = try await opened([
            Self.cardStatusOn, .give(bytes("01 00 02 90 00 93") + Self.inserted), Self.start,
            .give(bytes("01 40 0B E6 07 C4 05 52 45 41 44 59 90 00 B1")), Self.online,
            .expect(bytes("01 00 0B DE D2 00 00 06 E0 04 8A 02 30 30 6C")), Self.answer("E3 04 9F 27 01 40"),
        ])
        let online = try await begin(reader)
        #expect(online.name == "online, contactChip")
        #expect(online.reading?.value(of: 0x9F36) == bytes("00 01"))
        #expect(
            try await reader.complete(StreamBed.approval, until: .after(.seconds(30), on: clock)).name == "approved")
        ended(script)
    }

    @Test func `an answer in two packets, with a message that nobody asked for between them`() async throws {
        let whole = bytes("E4 09 9F 36 02 00 01 9F 27 01 80 90 00")
        let first = try #require(MPIPacket(isChained: true, part: Array(whole.prefix(7)))).bytes
        let second = try #require(MPIPacket(part: Array(whole.dropFirst(7)))).bytes
        let event = bytes("01 40 0B E6 07 C4 05 52 45 41 44 59 90 00 B1")
        for pieces in [[first + event + second], [first, event, second], [event + first, second + event]] {
            let (script, reader) = try await opened(
                [Self.cardStatusOn, .give(bytes("01 00 02 90 00 93") + Self.inserted), Self.start]
                    + pieces.map(Step.give))
            #expect(try await begin(reader).name == "online, contactChip")
            ended(script)
        }
    }

    /// The published chain says one byte more than it has.
    @Test func `a chain whose template is cut decides nothing`() async throws {
        let (script, reader) = try await opened([
            Self.cardStatusOn, .give(bytes("01 00 02 90 00 93") + Self.inserted), Self.start,
            .give(bytes("01 01 07 E4 0A 9F 36 02 00 01 43 01 00 06 9F 27 01 80 90 00 AE")), Self.abort, Self.ok,
        ])
        await #expect(throws: ReaderError(.protocolViolation, during: "")) { _ = try await begin(reader) }
        ended(script)
    }

    @Test func `a chain that loses a packet to noise is no answer`() async throws {
        let whole = bytes("E4 12 9F 36 02 00 01 9F 27 01 80 9F 10 04 00 00 00 00 95 00 90 00")
        let parts = try [whole[..<11], whole[11..<18], whole[18...]].enumerated().map { index, part in
            try #require(MPIPacket(isChained: index < 2, part: Array(part))).bytes
        }
        let (script, reader) = try await opened([
            Self.cardStatusOn, .give(bytes("01 00 02 90 00 93") + Self.inserted), Self.start,
            .give(parts[0] + [0x00] + parts[1].dropFirst() + parts[2]), Self.abort, Self.ok,
        ])
        await #expect(throws: ReaderError(.linkFailed, during: "")) { _ = try await begin(reader) }
        ended(script)
    }

    @Test func `two decisions in one answer are none`() async throws {
        let (script, reader) = try await opened([
            Self.cardStatusOn, .give(bytes("01 00 02 90 00 93") + Self.inserted), Self.start,
            Self.answer("E3 04 9F 27 01 40 E5 04 9F 27 01 00"), Self.abort, Self.ok,
        ])
        await #expect(throws: ReaderError(.protocolViolation, during: "")) { _ = try await begin(reader) }
        ended(script)
    }

    @Test func `a status word is told`() async throws {
        let (script, reader) = try await opened([
            Self.cardStatusOn, .give(bytes("01 00 02 90 00 93") + Self.inserted), Self.start,
            .give(bytes("01 00 02 9F 13 8F")), Self.abort, Self.ok,
        ])
        do throws(ReaderError) {
            _ = try await reader.start(Self.payment, prompt: { _ in }, cardWait: .after(.seconds(30), on: clock))
            Issue.record("no error")
        } catch {
            #expect(error.detail == "status 9F13")
        }
        ended(script)
    }

    @Test func `texts are shown`() async throws {
        let (script, reader) = try await opened([
            .expect(bytes("01 00 04 D2 01 0D 01 DA")), Self.ok,
            .expect(MPIPacket.packets(bytes("D2 01 00 01 02 48 69")).flatMap(\.bytes)), Self.ok,
        ])
        try await reader.displayScreen(0x0D, until: .after(.seconds(5), on: clock))
        try await reader.display("Hi", until: .after(.seconds(5), on: clock))
        ended(script)
    }

    @Test func `the configuration is read`() async throws {
        let (script, reader) = try await opened([
            .expect(bytes("01 00 04 D0 01 00 00 D4")), Self.answer("E1 0E ED 0C DF 0D 02 41 42 DF 7F 03 31 2E 30"),
        ])
        #expect(try await reader.configuration(until: .after(.seconds(5), on: clock)) == ["AB": "1.0"])
        ended(script)
    }

    /// The vendor's own test of a swipe (SRED). The number is from the published test ranges.
    @Test func `a swipe of the vendor's test is taken apart`() throws {
        let masked = ";476173******0010=1512201**********?*"
        let data =
            "48 02 00 07 DF AE 02 08 72 21 29 07 C9 B9 3D 91 DF AE 03 0A 00 00 02 00 00 05 54 00 18 2A DF AE 22 25"
            + masked.utf8.map { hex2($0) }.joined()
        let content = bytes(data)
        let message = MPIResponse(data: [0xE1, UInt8(content.count)] + content)
        let status = try #require(MPICardStatus(message))
        #expect(!status.isCardPresent && status.hasStripe)
        let reading = status.objects.reading(.magneticStripe)
        #expect(reading.account.lastFour == "0010")
        #expect(reading.serviceCode == "201" && reading.saysThatCardHasChip)
        guard case .encrypted(let encrypted, _) = reading.account else {
            Issue.record("not encrypted")
            return
        }
        #expect(encrypted.parts[.track2]?.count == 8 && encrypted.keySerialNumber.count == 10)
        #expect(reading.value(of: 0xDFAE02) == nil && reading.value(of: 0xDFAE22) == nil)
    }
}
