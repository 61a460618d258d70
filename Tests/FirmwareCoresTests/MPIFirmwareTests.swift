import InProcessMock
import Testing
import Transport

@testable import FirmwareCores

/// The MPI mock against the published packets.
@Suite("MPI firmware")
struct MPIFirmwareTests {
    private func firmware(_ options: [String: String] = [:]) throws -> MPIFirmware {
        try MPIFirmware.make(options: options)
    }

    private func answer(_ firmware: MPIFirmware, _ request: String, at now: Duration = .zero) -> String {
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

    private func steer(_ firmware: MPIFirmware, _ command: String, at now: Duration = .zero) -> String {
        let (complaint, effects) = firmware.steer(command, at: now)
        #expect(complaint == nil)
        return said(effects)
    }

    /// The message in packets of one chain; nil when they are not that.
    private func message(_ packets: String, isUnsolicited: Bool = false) -> [UInt8]? {
        var rest = hex(packets)
        var message: [UInt8] = []
        while rest.count >= 4 {
            let length = Int(rest[2])
            guard rest[0] == 1, rest[1] & 0x40 == (isUnsolicited ? 0x40 : 0), rest.count >= length + 4,
                rest[..<(length + 4)].reduce(0, ^) == 0
            else { return nil }
            message += rest[3..<length + 3]
            let isLast = rest[1] & 0x01 == 0
            rest.removeFirst(length + 4)
            if isLast { return rest.isEmpty ? message : nil }
        }
        return nil
    }

    private static let ok = "0100029000" + "93"
    private static let start =
        "01 00 23 DE D1 00 00 1E E0 1C 9F 02 06 00 00 00 01 00 00 9A 03 23 11 16 9F 21 03 20 26 09 9C 01 00 5F 2A 02 04 84 30"
    private static let proceed = "01 00 0B DE D2 00 00 06 E0 04 8A 02 30 30 6C"

    @Test(arguments: [
        "01 00 04 D2 01 0D 01 DA", "01 00 04 D0 FF 00 00 2A", "01 00 04 D0 C0 00 00 15",
    ])
    func plainCommandIsDone(command: String) throws {
        #expect(answer(try firmware(), command) == Self.ok)
    }

    @Test func devicesTellWhoTheyAre() throws {
        let reader = try firmware()
        for command in ["01 00 04 D0 00 00 00 D5", "01 00 04 D0 02 00 00 D7"] {
            let told = try #require(message(answer(reader, command)))
            #expect(told.suffix(2) == [0x90, 0x00] && told.first == 0xE1)
        }
        // More than one packet holds.
        let packets = answer(reader, "01 00 04 D0 01 00 00 D4")
        let told = try #require(message(packets))
        #expect(told.count > 254 && hex(packets)[1] == 0x01)
    }

    @Test func slotIsToldUnasked() throws {
        let reader = try firmware()
        #expect(steer(reader, "insert visa-credit") == "")
        #expect(
            answer(reader, "01 00 04 D0 60 01 01 B5") == "\(Self.ok) 014008E104480203009000"
                + check("014008E104480203009000"))
        #expect(message(steer(reader, "remove"), isUnsolicited: true) == hex("E1 04 48 02 00 00 90 00"))
        #expect(message(steer(reader, "insert mute"), isUnsolicited: true) == hex("E1 04 48 02 01 00 90 00"))
    }

    private func check(_ packet: String) -> String { text([hex(packet).reduce(0, ^)]) }

    @Test func saleInTheSlot() throws {
        let reader = try firmware(["sred": "masked"])
        #expect(message(answer(reader, Self.start), isUnsolicited: true)?.first == 0xE6)
        let told = try #require(message(steer(reader, "insert visa-credit")))
        #expect(told.first == 0xE4 && told.suffix(2) == [0x90, 0x00])
        let content = try #require(
            TerminalObjects(parsing: Array(told.dropLast(2)))?["E4"].flatMap(TerminalObjects.init(parsing:)))
        #expect(content["9F27"] == [0x80] && content["9F02"] == hex("000000010000") && content["9A"] == hex("231116"))
        #expect(content["5A"] == [] && content["57"] == [])
        let end = try #require(message(answer(reader, Self.proceed)))
        #expect(end.first == 0xE3)
        // Once only.
        #expect(answer(reader, Self.proceed) == "0100029F26" + check("0100029F26"))
    }

    @Test func choiceAndDecision() throws {
        let reader = try firmware(["card": "two-applications", "vipa": "yes"])
        _ = reader.advance(to: .zero)
        let packets = answer(reader, Self.start).split(separator: " ").map(String.init)
        #expect(packets.count == 2)
        let told = try #require(message(packets[1]))
        #expect(told.first == 0xEA)
        let chosen = try #require(
            message(answer(reader, "01 00 0A DE D2 00 00 05 E0 03 C0 01 01" + check("01000ADED2000005E003C00101"))))
        #expect(chosen.first == 0xE4)
    }

    @Test func swipeIsToldAsInTheVendorsTest() throws {
        let reader = try firmware()
        _ = answer(reader, "01 00 04 D0 60 01 01 B5")
        let told = try #require(message(steer(reader, "swipe visa-credit"), isUnsolicited: true))
        let content = try #require(
            TerminalObjects(parsing: Array(told.dropLast(2)))?["E1"].flatMap(TerminalObjects.init(parsing:)))
        #expect(content["48"] == [0x00, 0x07])
        #expect(content["DFAE03"]?.count == 10 && (content["DFAE02"]?.count ?? 1) % 8 == 0)
        let track = String(decoding: content["DFAE22"] ?? [], as: UTF8.self)
        #expect(track.hasPrefix(";476173******0119=") && track.hasSuffix("?*"))
    }

    @Test(arguments: ["abort", "transaction", "both"])
    func abortEndsAWait(kind: String) throws {
        let reader = try firmware(["abort": kind])
        _ = answer(reader, Self.start)
        let ended = "0100029F41" + check("0100029F41")
        let said = answer(reader, "01 00 04 D0 FF 00 00 2A")
        #expect(said == ["abort": Self.ok, "transaction": ended, "both": "\(ended) \(Self.ok)"][kind])
        _ = answer(reader, Self.start)
        #expect(steer(reader, "press-cancel") == ended)
    }

    @Test func terminalOnTheNetworkSaysThatItIsOn() throws {
        let reader = try firmware(["vipa": "yes"])
        #expect(message(said(reader.advance(to: .zero)), isUnsolicited: true)?.first == 0xE6)
    }

    @Test func damagedPacketsAreDroppedAndGoodOnesFound() throws {
        let reader = try firmware()
        let good = "01 00 04 D0 C0 00 00 15"
        for bad in [
            "00 00 02 50 60 32", "F0 00 06 10 11 12 13 90 00 66", "01 FF 02 50 60 CC", "01 00 00 01", "01 00 01 90 90",
            "01 00 04 D0 02 00 00 D4",
        ] {
            #expect(answer(reader, bad + good) == Self.ok, "after \(bad)")
        }
        // A command in two packets, and one whose second packet comes too late.
        let chained = "01 01 02 D0 C0" + check("010102D0C0") + "01 00 02 00 00" + check("0100020000")
        #expect(answer(reader, chained, at: .seconds(1)) == Self.ok)
        #expect(answer(reader, "01 01 02 D0 C0" + check("010102D0C0"), at: .seconds(2)) == "")
        #expect(answer(reader, good, at: .seconds(3)) == Self.ok)
    }

    @Test(arguments: FrameFault.plain.keys.sorted())
    func faultsSpoilOneAnswer(name: String) throws {
        let reader = try firmware()
        let command = "01 00 04 D0 C0 00 00 15"
        #expect(steer(reader, "fault next \(name)") == "")
        let spoiled = answer(reader, command)
        switch name {
        case "silent", "unplug-after": #expect(spoiled == "")
        case "unplug-before": #expect(spoiled == "unplug")
        case "cut", "unplug-half": #expect(spoiled == String(Self.ok.prefix(6)))
        case "twice", "stale": #expect(spoiled == Self.ok + Self.ok)
        case "noise-before": #expect(spoiled.hasSuffix(Self.ok) && spoiled != Self.ok)
        case "unsolicited": #expect(spoiled.hasSuffix(Self.ok) && spoiled.hasPrefix("0140"))
        case "hostile-length": #expect(spoiled == "0100FE9000")
        case "wrong-check": #expect(spoiled == "010002900092")
        // One check byte has one order.
        default: #expect(spoiled == Self.ok)
        }
        #expect(answer(reader, command, at: .seconds(1)) == Self.ok)
    }

    /// A message in the middle of a chain.
    @Test func unsolicitedWithinAnAnswer() throws {
        let reader = try firmware()
        _ = steer(reader, "fault next unsolicited")
        let bytes = hex(answer(reader, "01 00 04 D0 01 00 00 D4"))
        #expect(bytes[1] == 0x01)
        #expect(bytes[Int(bytes[2]) + 5] == 0x40)
    }

    @Test func onUSBItBearsTheVendorsId() throws {
        let core = try CoreFactory.make(DeviceSpec(family: "mpi"))
        #expect(core.descriptors.vendorId == 0x2DDA)
        #expect(core.descriptors.strings.first == "Miura Systems")
        #expect(throws: CoreOptionError.self) {
            _ = try CoreFactory.make(DeviceSpec(family: "mpi", options: ["abort": "perhaps"]))
        }
    }
}
