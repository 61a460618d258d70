import EMV
import FirmwareCores
import Foundation
import InProcessMock
import ReaderWire
import Readers
import Testing
import Transport
import USBDescriptors

/// The CCID firmware is judged by code that others wrote: pcscd, libccid and OpenSC see the same card, to the byte, as our
/// own driver does, and as the card itself answers.
@Suite(.blackBox, .enabled(if: Prerequisites.judge == nil, "\(Prerequisites.judge ?? "")"))
struct JudgeTests {
    @Test(
        "answer to reset and answers are the same to libccid, to our driver and from the card",
        arguments: ["extended", "short", "tpdu"], ["visa-credit", "visa-t0", "mastercard-t1", "mastercard-debit"])
    func sameAnswers(level: String, card: String) async throws {
        let commands = try Self.commands(for: card)
        let (reset, answers) = try Self.card(card, commands)
        let ours = try await Self.driver(card, level, commands)
        #expect(ours.reset == reset)
        #expect(ours.answers == answers)

        let judged = try await JudgedReader("ccid:card=\(card),level=\(level)")
        let listed = try await judged.openscTool("-l")
        #expect(listed.output.contains("Gemalto PC Twin Reader (C0001)"), "\(listed.output)")
        let shown = try await judged.openscTool("-r", "0", "-a")
        let bytes = shown.output.split(whereSeparator: { $0 == ":" || $0 == "\n" })
        #expect(bytes.compactMap { UInt8($0, radix: 16) } == reset, "\(shown)")
        #expect(try await judged.exchange(commands) == answers)
        await judged.close()
    }

    @Test("pcscd notices that the card is taken out and another one put in, and that the reader leaves and comes back")
    func changes() async throws {
        let judged = try await JudgedReader("ccid:card=visa-credit")
        try await judged.steer("1-1 remove")
        try await judged.expect("Card Removed From")
        try await judged.steer("1-1 insert mastercard-debit")
        let (reset, _) = try Self.card("mastercard-debit", [])
        let line = try await judged.expect("Card ATR:")
        let seen = line.split(separator: ":").last.map { $0.split(separator: " ") } ?? []
        #expect(seen.compactMap { UInt8($0, radix: 16) } == reset, "\(line)")
        try await judged.steer("1-1 unplug")
        try await judged.expect("Removing USB device")
        try await judged.steer("1-1 plug")
        try await judged.expect("Card ATR:")
        await judged.close()
    }

    @Test("the dump of opensc-tool is read as it is written")
    func dump() {
        let text = """
            Using reader with a card: Gemalto PC Twin Reader (C0001) 00 00
            Sending: 00 A4 04 00 00\u{20}
            Received (SW1=0x90, SW2=0x00):
            70 1B 61 19 4F 07 A0 00 00 00 03 10 10 50 0B 56 p.a.O........P.V
            49 53 41 20 43 52 45 44 49 54 87 01 01          ISA CREDIT...
            Sending: 80 CA 9F 36 00\u{20}
            Received (SW1=0x90, SW2=0x00):
            9F 36 02 00 02 .6...
            Sending: 00 B2 02 0C 00\u{20}
            Received (SW1=0x6A, SW2=0x83)
            """
        #expect(
            JudgedReader.answers(in: text).map(JudgedReader.hex) == [
                "701B61194F07A0000000031010500B56495341204352454449548701019000", "9F360200029000", "6A83",
            ])
    }

    // MARK: The other two

    /// Selections, options, a record with 61xx and 6Cxx on the way, refusals and a command without data. No card number is
    /// asked for: what PC/SC programs print is not ours to hide.
    private static func commands(for card: String) throws -> [[UInt8]] {
        let isVisa = card.hasPrefix("visa")
        let application: [UInt8] = [0xA0, 0, 0, 0] + (isVisa ? [3, 0x10, 0x10] : [4, 0x10, 0x10])
        let environment = Array("1PAY.SYS.DDF01".utf8)
        return [
            [0x00, 0xA4, 0x04, 0x00, 14] + environment + [0],
            [0x00, 0xB2, 0x01, 0x0C, 0x00],
            [0x00, 0xA4, 0x04, 0x00, 7] + application + [0],
            [0x80, 0xCA, 0x9F, 0x17, 0x00],
            [0x80, 0xA8, 0x00, 0x00, 2, 0x83, 0x00, 0],
            [0x00, 0xB2, 0x02, 0x14, 0x00],
            [0x00, 0xB2, 0x09, 0x14, 0x00],
            [0x80, 0x12, 0x00, 0x00, 0x00],
            [0x80, 0xCA, 0x9F, 0x36, 0x00],
            [0x00, 0xA4, 0x04, 0x00, 7, 0xA0, 0, 0, 0, 0x99, 0x10, 0x10, 0],
        ]
    }

    private static func card(_ name: String, _ commands: [[UInt8]]) throws -> (reset: [UInt8], answers: [[UInt8]]) {
        let card = EMVCardCore(profile: try #require(CardProfile.named(name)))
        let reset = try #require(card.powerOn())
        return (reset, commands.map { card.transmit($0) })
    }

    private static func driver(
        _ card: String, _ level: String, _ commands: [[UInt8]]
    ) async throws -> (reset: [UInt8], answers: [[UInt8]]) {
        let clock = SystemMonotonicClock.shared
        let core = try CCIDReaderCore.make(options: ["card": card, "level": level])
        let descriptors = core.descriptors
        let device = InProcessDevice(core: core, clock: clock)
        let configuration = try ConfigurationDescriptor(parsing: descriptors.configuration)
        let bytes = try #require(
            configuration.interfaces.first?.classDescriptor(type: CCIDClassDescriptor.descriptorType))
        let reader = try await CCIDReader.open(
            device.open(), descriptor: #require(CCIDClassDescriptor(parsing: bytes)), interfaceNumber: 0,
            model: "judged", clock: clock, until: .after(.seconds(60), on: clock))
        let reset = try await reader.powerOnCard(until: .after(.seconds(60), on: clock))
        var answers: [[UInt8]] = []
        for command in commands {
            let answer = try await reader.transmit(Self.command(command), until: .after(.seconds(60), on: clock))
            answers.append(answer.data + [answer.status.sw1, answer.status.sw2])
        }
        await reader.close()
        return (reset, answers)
    }

    /// The bytes taken apart: all commands here want an answer.
    private static func command(_ bytes: [UInt8]) -> CommandAPDU {
        let data = bytes.count > 5 ? Array(bytes[5..<bytes.count - 1]) : []
        return CommandAPDU(
            cla: bytes[0], ins: bytes[1], p1: bytes[2], p2: bytes[3], data: data, expectedLength: 256)
    }
}
