import InProcessMock
import Testing
import Transport

@testable import FirmwareCores

/// The QPOS mock against the published frames: what the vendor's host code sends is taken, what was computed by its rules
/// is said.
@Suite("QPOS firmware")
struct QPOSFirmwareTests {
    private func firmware(_ options: [String: String] = [:]) throws -> QPOSFirmware {
        try QPOSFirmware.make(options: options)
    }

    /// The answer to one request, at a time of its own.
    private func answer(
        _ firmware: QPOSFirmware, _ request: String, at now: Duration = .zero
    ) -> String {
        said(firmware.receive(hex(request), at: now))
    }

    private func said(_ effects: [SerialEffect]) -> String {
        effects.map { effect in
            switch effect {
            case .bytes(let bytes): text(bytes)
            case .unplug: "unplug"
            case .plug: "plug"
            }
        }.joined(separator: " ")
    }

    private func steer(_ firmware: QPOSFirmware, _ command: String, at now: Duration = .zero) -> String {
        let (complaint, effects) = firmware.steer(command, at: now)
        #expect(complaint == nil)
        return said(effects)
    }

    private static let trade =
        "4D 00 35 21 16 20 1F 00 2F 05 31 31 35 30 30 08 00 01 07 20 26 11 30 12 34 56 00 00 00 00 01 01 04 84"
        + "00 00 00 00 00 01 00 06 31 34 31 32 31 37 D0 07 25 22 13 30 2D 30 5F"
    private static let startChip =
        "4D 00 22 21 16 30 3C 00 1C 00 01 20 26 11 30 12 34 56 FF FF F1 15 00 00 00 04 84 06 31 31 35 30 30 00 01 00 14 5C"
    private static let query = "4D 00 06 22 00 00 5A 00 00 33"
    private static let nextPart = "4D 00 06 36 00 00 5A 00 00 27"
    private static let cancel = "4D 00 06 28 00 00 05 00 00 66"

    /// Every request of the fact sheet's list of good vectors, with the code that its answer must bear.
    @Test(arguments: [
        ("4D 00 06 21 10 00 0A 00 00 70", "1000"), ("4D 00 06 21 10 00 05 00 00 7F", "1000"),
        ("4D 00 06 21 11 30 0A 00 00 41", "1130"), ("4D 00 06 21 11 30 05 00 00 4E", "1130"),
        ("4D 00 07 21 23 10 0A 00 01 01 52", "2310"), ("4D 00 08 21 16 60 0A 00 02 00 00 1A", "1660"),
        ("4D 00 06 21 16 80 0A 00 00 F6", "1680"),
        ("4D 00 06 20 00 00 FE 00 00 95", "0000"), ("4D 00 06 20 00 00 3C 00 00 57", "0000"),
        ("4D 00 06 20 00 00 0F 00 00 64", "0000"),
    ])
    func commandIsCompleted(request: String, code: String) throws {
        let reader = try firmware(["card": "visa-credit"])
        let answer = answer(reader, request)
        #expect(answer.hasPrefix("4D") && answer.dropFirst(6).hasPrefix("24\(code)00"), "\(answer)")
        #expect(hex(answer).reduce(0, ^) == 0)
    }

    @Test func chipPoweredOffIsSaidAsPublished() throws {
        let reader = try firmware()
        #expect(answer(reader, "4D 00 06 21 16 80 0A 00 00 F6") == "4D00062416800000" + "00F9")
    }

    @Test func bareCommandGetsTheCardsAnswer() throws {
        let reader = try firmware(["card": "visa-credit"])
        let select =
            "4D 00 1A 21 16 70 0A 00 14 00 A4 04 00 0E 31 50 41 59 2E 53 59 53 2E 44 44 46 30 31 00 C7"
        #expect(answer(reader, select).dropFirst(6).hasPrefix("311670"))
        _ = answer(reader, "4D 00 08 21 16 60 0A 00 02 00 00 1A")
        let direct = EMVCardCore(profile: try #require(CardProfile.named("visa-credit")))
        _ = direct.powerOn()
        let expected = direct.transmit(hex("00A404000E315041592E5359532E444446303100"))
        #expect(answer(reader, select) == text(QPOSMessage.frame(0x24, 0x16, 0x70, expected)))
        // No contactless card answers to bare commands.
        #expect(answer(reader, "4D 00 07 21 17 00 0A 00 01 00 77") == text(QPOSMessage.frame(0x25, 0x17, 0x00)))
    }

    @Test func waitsForTheCardWhileItIsAsked() throws {
        let reader = try firmware()
        let busy = text(QPOSMessage.frame(0x23, 0x16, 0x20))
        #expect(busy == "4D00062316200000005E")
        #expect(answer(reader, Self.trade) == busy)
        // A query is held for a second.
        #expect(answer(reader, Self.query, at: .seconds(1)) == "")
        #expect(reader.nextDue == .seconds(2))
        #expect(said(reader.advance(to: .seconds(2))) == busy)
        #expect(answer(reader, Self.query, at: .seconds(3)) == "")
        #expect(steer(reader, "insert visa-credit", at: .milliseconds(3500)) == "4D00072416200000010158")
    }

    @Test func nobodyComes() throws {
        let reader = try firmware(["eager": "yes"])
        _ = answer(reader, Self.trade)
        #expect(said(reader.advance(to: .seconds(31))) == "4D000625162000000058")
    }

    @Test func cancelAndResetAtAnyTime() throws {
        let reader = try firmware()
        _ = answer(reader, Self.trade)
        #expect(answer(reader, Self.cancel) == "4D000628162000000055")
        #expect(answer(reader, Self.cancel) == "4D000628162000000055")
        _ = answer(reader, Self.trade)
        #expect(answer(reader, "4D 00 06 20 00 00 0F 00 00 64") == text(QPOSMessage.frame(0x24, 0, 0)))
        #expect(answer(reader, Self.query) == "")
        // What is decided stays decided.
        _ = steer(reader, "insert visa-credit")
        _ = steer(reader, "busy 2")
        #expect(answer(reader, Self.trade) == "4D00062316200000005E")
        #expect(answer(reader, Self.cancel) == "4D00072416200000010158")
    }

    @Test func busyThenDone() throws {
        let reader = try firmware(["card": "visa-credit", "busy": "2"])
        #expect(answer(reader, Self.trade) == "4D00062316200000005E")
        #expect(answer(reader, Self.query) == "4D00062316200000005E")
        #expect(answer(reader, Self.query) == "4D00072416200000010158")
        _ = steer(reader, "busy endless")
        for _ in 0..<200 { #expect(answer(reader, Self.trade) == "4D00062316200000005E") }
    }

    @Test func answersInParts() throws {
        let whole = try firmware(["card": "visa-credit"])
        let parted = try firmware(["card": "visa-credit", "part": "100"])
        _ = answer(whole, Self.trade)
        _ = answer(parted, Self.trade)
        let expected = hex(answer(whole, Self.startChip)).dropFirst(9).dropLast()
        var data: [UInt8] = []
        var frame = hex(answer(parted, Self.startChip))
        var count = 1
        while frame[3] == 0x36, count < 20 {
            data += frame.dropFirst(9).dropLast()
            frame = hex(answer(parted, Self.nextPart))
            count += 1
        }
        #expect(frame[3] == 0x24 && count > 3)
        #expect(data + frame.dropFirst(9).dropLast() == Array(expected))
        // Go online, online advice.
        #expect(expected.dropFirst(2).prefix(2) == [0x03, 0x06])
    }

    @Test func choiceIsListedAsPublished() {
        #expect(
            text(QPOSMessage.frame(0x24, 0x16, 0x30, result: 2, QPOSResults.choice(["VISA", "MASTERCARD"])))
                == text(
                    hex("4D 00 1B 24 16 30 02 00 15 02 00 00 04 56 49 53 41 00 00 0A 4D 41 53 54 45 52 43 41 52 44 4A"))
        )
    }

    @Test func resultsAreSaidAsPublished() {
        let objects = hex(
            "9F 27 01 80 9F 36 02 00 01 9F 26 08 11 22 33 44 55 66 77 88 95 05 00 00 00 00 00 9B 02 E8 00")
        #expect(
            text(QPOSMessage.frame(0x24, 0x16, 0x30, QPOSResults.emv(3, 6, objects)))
                == text(
                    hex(
                        "4D 00 2D 24 16 30 00 00 27 00 00 03 06 00 00 00 1F 9F 27 01 80 9F 36 02 00 01 9F 26 08 11 22 33 44 55 66"
                            + "77 88 95 05 00 00 00 00 00 9B 02 E8 00 14")))
        #expect(
            text(QPOSMessage.frame(0x24, 0x16, 0x40, QPOSResults.emv(1, 3, hex("9F 27 01 40 8A 02 30 30"))))
                == text(hex("4D 00 16 24 16 40 00 00 10 00 00 01 03 00 00 00 08 9F 27 01 40 8A 02 30 30 42")))
        let account = AccountData(
            accountNumber: [], track2Equivalent: [], track2: Array(";4761********0043=2412201".utf8))
        let secured = SecuredAccount(
            shown: account, encrypted: AccountData(accountNumber: [], track2Equivalent: []),
            keySerialNumber: hex("FFFFFF0200110940000F"))
        #expect(
            text(QPOSMessage.frame(0x24, 0x16, 0x20, QPOSResults.card(0, secured)))
                == text(
                    hex(
                        "4D 00 34 24 16 20 00 00 2E 00 00 00 00 00 00 10 34 37 36 31 2A 2A 2A 2A 2A 2A 2A 2A 30 30 34 33 04 32 34"
                            + "31 32 03 32 30 31 00 00 0A FF FF FF 02 00 11 09 40 00 0F 00 C7")))
    }

    @Test(arguments: [("approves-offline", UInt8(3)), ("visa-credit", 3), ("declines-first", 5)])
    func tappedCardTellsItsState(card: String, state: UInt8) throws {
        let reader = try firmware(["sred": "masked"])
        _ = answer(reader, Self.trade)
        let frame = hex(steer(reader, "tap \(card)") + answer(reader, Self.query))
        #expect(frame[9] == state)
        let tags = hex(answer(reader, "4D 00 0A 21 16 51 3C 00 04 00 01 01 00 19"))
        let objects = try #require(TerminalObjects(parsing: Array(tags.dropFirst(9).dropLast())))
        #expect((objects["9F27"]?.first ?? 0xFF) & 0xC0 == (state == 5 ? 0x00 : 0x80))
    }

    @Test func damagedAndForeignBytes() throws {
        let reader = try firmware()
        // A wrong check byte is answered, for the command it was in.
        var damaged = hex(Self.trade)
        damaged[damaged.count - 1] ^= 0x01
        #expect(said(reader.receive(damaged, at: .zero)) == "4D00062716200000005A")
        // A wrong start, lengths that contradict each other or are too large, and then a good frame.
        for bad in [
            "4C 00 06 28 00 00 05 00 00 67", "4D 00 05 24 16 20 00 00 5A", "4D 00 07 24 16 20 00 00 02 01 5B",
            "4D FF FF",
        ] {
            #expect(answer(reader, bad + Self.trade) == "4D00062316200000005E", "after \(bad)")
        }
        // A frame that is cut is forgotten after half a second, not before.
        _ = answer(reader, "4D 00 06 22 00", at: .seconds(1))
        #expect(answer(reader, "00 5A 00 00 33", at: .milliseconds(1400)) == "")
        #expect(reader.nextDue == .milliseconds(2400))
        _ = answer(reader, "4D 00 06 22 00", at: .seconds(5))
        #expect(answer(reader, Self.trade, at: .seconds(6)) == "4D00062316200000005E")
        // Two in one piece.
        #expect(
            answer(reader, Self.trade + Self.cancel, at: .seconds(7)) == "4D00062316200000005E 4D000628162000000055")
    }

    @Test(arguments: FrameFault.plain.keys.sorted())
    func faultsSpoilOneFrame(name: String) throws {
        let reader = try firmware()
        let good = text(QPOSMessage.frame(0x24, 0x23, 0x10))
        let buzzer = "4D 00 07 21 23 10 0A 00 01 01 52"
        #expect(answer(reader, buzzer) == good)
        #expect(steer(reader, "fault next \(name)") == "")
        let spoiled = answer(reader, buzzer)
        switch name {
        case "silent", "unplug-after": #expect(spoiled == "")
        case "unplug-before": #expect(spoiled == "unplug")
        case "cut", "unplug-half": #expect(spoiled == String(good.prefix(10)))
        case "twice": #expect(spoiled == good + good)
        case "noise-before", "stale": #expect(spoiled.hasSuffix(good) && spoiled != good)
        case "hostile-length": #expect(spoiled.hasPrefix("4DFFFF"))
        case "wrong-check": #expect(spoiled != good && spoiled.dropLast(2) == good.dropLast(2))
        // QPOS has one check byte, and says nothing unasked.
        default: #expect(spoiled == good)
        }
        if name.hasPrefix("unplug-a") || name == "unplug-half" {
            #expect(said(reader.advance(to: .seconds(1))) == "unplug")
        }
        #expect(answer(reader, buzzer) == good)
    }

    @Test func onUSBItIsASerialDeviceWhoseLineSettingsAreKept() async throws {
        let core = try CoreFactory.make(DeviceSpec(family: "qpos", options: ["vid": "0B95"]))
        #expect(core.descriptors.vendorId == 0x0B95)
        let usual = try CoreFactory.make(DeviceSpec(family: "qpos"))
        #expect(usual.descriptors.vendorId == 0x03EB)
        let coding: [UInt8] = [0x00, 0x96, 0x00, 0x00, 0, 0, 8]
        func control(_ type: UInt8, _ request: UInt8, _ value: UInt16 = 0, _ data: [UInt8] = []) -> ControlReply {
            core.control(
                SetupPacket(requestType: type, request: request, value: value, index: 0, length: 7), data: data,
                at: .zero
            ).reply
        }
        #expect(control(0x21, 0x20, 0, coding) == .accepted)
        #expect(control(0x21, 0x22, 0x0003) == .accepted)
        #expect(control(0xA1, 0x21) == .data(coding))
        #expect(control(0x21, 0x77) == .stall)
        let serial = try #require(core as? SerialUSBCore)
        #expect(serial.lineRequests.map(\.request) == [0x20, 0x22])
        #expect(serial.lineRequests.map(\.value) == [0, 3])
        let answer = core.out(hex("4D 00 06 21 10 00 05 00 00 7F"), to: SerialUSBCore.bulkOut, at: .zero)
        guard case .data(SerialUSBCore.bulkIn, let bytes, true)? = answer.first else {
            Issue.record("\(answer)")
            return
        }
        #expect(bytes.prefix(1) == [0x4D])
    }
}
