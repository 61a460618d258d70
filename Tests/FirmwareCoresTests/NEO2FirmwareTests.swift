import FirmwareCores
import Testing

/// The mock NEO2 reader against published and recomputed frames. `H` is the header, "ViVOtech2" and a zero byte.
struct NEO2FirmwareTests {
    private static let header = "5669564F746563683200"

    /// Answers to a command, without headers; the command comes as the sheet writes it, without its header.
    private func answers(_ core: NEO2SerialCore, _ command: String, at now: Duration = .zero) -> [String] {
        texts(core.receive(hex(Self.header + command), at: now))
    }

    private func texts(_ effects: [SerialEffect]) -> [String] {
        effects.map { effect in
            guard case .bytes(let bytes) = effect else { return "\(effect)" }
            let text = text(bytes)
            return text.hasPrefix(Self.header) ? String(text.dropFirst(Self.header.count)) : text
        }
    }

    @Test(
        "commands and their published answers",
        arguments: [
            ("18 01 00 00 B3 CD", "18 00 00 00 FA 83"), ("05 01 00 00 92 EF", "05 00 00 00 D8 A2"),
            ("01 01 00 01 01 D7 34", "01 00 00 00 12 53"),
            ("04 00 00 05 DF EE 7E 01 00 60 1E", "04 00 00 00 AE 16"),
            ("29 00 00 00 DE A0", "29 00 00 0C 56 50 20 54 45 53 54 20 31 2E 30 30 5E 6B"),
            // 02-99 with the CRC low byte first.
            ("02 99 00 00 27 6F", "02 03 00 00 D0 DF"),
        ])
    func vectors(command: String, answer: String) throws {
        let core = try NEO2SerialCore.make(options: ["firmware": "VP TEST 1.00"])
        #expect(answers(core, command) == [joined(answer)])
    }

    @Test("either order of the CRC is taken, a wrong one is status 04")
    func checkOrders() throws {
        let core = try NEO2SerialCore.make()
        #expect(answers(core, "18 01 00 00 CD B3") == ["18000000FA83"])
        // 90-07 as a vendor's tool sends it: understood as a frame, and not a command of this reader.
        #expect(answers(core, "90 07 00 01 00 8F B4").first?.hasPrefix("9002") == true)
        #expect(answers(core, "18 01 00 00 B3 CE").first?.hasPrefix("1804") == true)
    }

    @Test("commands are cut anywhere, come two at a time, and stand behind noise")
    func cutting() throws {
        let core = try NEO2SerialCore.make()
        let ping = hex(Self.header + "18 01 00 00 B3 CD")
        for place in 1..<ping.count {
            #expect(core.receive(Array(ping[..<place]), at: .zero) == [])
            #expect(texts(core.receive(Array(ping[place...]), at: .zero)) == ["18000000FA83"])
        }
        #expect(texts(core.receive(ping + [0x00, 0x56, 0x69] + ping, at: .zero)).count == 2)
    }

    @Test("a transaction ends at its time-out, and any command cancels it")
    func waiting() throws {
        let core = try NEO2SerialCore.make()
        let purchase = "02 40 00 12 1E 9F 02 06 00 00 00 01 00 00 5F 2A 02 04 84 9C 01 00 B3 96"
        #expect(answers(core, purchase) == [])
        #expect(core.nextDue == .seconds(30))
        #expect(core.advance(to: .seconds(29)) == [])
        #expect(texts(core.advance(to: .seconds(30))) == ["02080000202E"])
        #expect(answers(core, purchase, at: .seconds(31)) == [])
        #expect(answers(core, "18 01 00 00 B3 CD", at: .seconds(32)) == ["18000000FA83"])
        #expect(core.nextDue == nil)
    }

    @Test("a transaction without an amount is a wrong parameter")
    func noAmount() throws {
        let core = try NEO2SerialCore.make()
        #expect(answers(core, "02 40 00 01 1E F3 21").first?.hasPrefix("0205") == true)
    }

    @Test("events and interim answers as scripted")
    func scripted() throws {
        let core = try NEO2SerialCore.make()
        #expect(texts(core.steer("event 01 11", at: .zero).effects) == [joined("45 00 55 00 04 01 11 00 00 28 B6")])
        #expect(core.steer("interim 0E", at: .zero).complaint != nil)
        _ = answers(core, "02 40 00 12 1E 9F 02 06 00 00 00 01 00 00 5F 2A 02 04 84 9C 01 00 B3 96")
        #expect(texts(core.steer("interim 0E", at: .zero).effects) == [joined("02 0E 00 00 92 8E")])
    }

    @Test("over HID a message fills reports of 64 bytes")
    func reports() throws {
        let core = try NEO2HIDCore.make(options: [:])
        let ping = [0x01] + hex(Self.header + "18 01 00 00 B3 CD") + [UInt8](repeating: 0, count: 47)
        let effects = core.out(ping, to: NEO2HIDCore.interruptOut, at: .zero)
        let answer = [0x01] + hex(Self.header + "18 00 00 00 FA 83") + [UInt8](repeating: 0, count: 47)
        #expect(
            effects == [.data(endpoint: NEO2HIDCore.interruptIn, bytes: answer, zeroLengthPacket: false)])
        #expect(core.descriptors.maxPacketSize(of: NEO2HIDCore.interruptIn) == 64)
        #expect(core.descriptors.vendorId == 0x0ACD && core.descriptors.productId == 0x3530)
    }

    @Test("wrong options name themselves", arguments: ["sred", "entry", "contact", "vid", "colour", "card"])
    func options(name: String) {
        #expect(throws: CoreOptionError.self) { _ = try NEO2HIDCore.make(options: [name: "violet"]) }
    }
}
