import ReaderWire
import Testing

/// Expected bytes and refusals: the reader fact vectors (ID TECH's interface guides).
@Suite("NEO2 frames")
struct NEO2FrameTests {
    static let header = FrameVectors.neo2Header

    @Test("every good vector is taken apart and made again to the same bytes", arguments: FrameVectors.neo2)
    func roundTrip(bytes: [UInt8]) throws {
        let frame = try #require(NEO2Frame(parsing: bytes))
        #expect(frame.command == bytes[10])
        #expect(frame.second == bytes[11])
        #expect(frame.data == Array(bytes[14..<bytes.count - 2]))
        #expect(frame.bytes == bytes)
    }

    @Test("so is every event, and the captured swipe")
    func others() {
        for bytes in FrameVectors.neo2Events {
            #expect(NEO2EventFrame(parsing: bytes)?.bytes == bytes)
            #expect(NEO2Frame(parsing: bytes) == nil)
        }
        #expect(NEO2Frame(parsing: FrameVectors.neo2Swipe)?.bytes == FrameVectors.neo2Swipe)
        #expect(
            NEO2EventFrame(parsing: FrameVectors.neo2Events[1])?.events
                == [.init(type: 0x01, value: 0x11, parameters: [0, 0])])
    }

    @Test("commands are made with the low byte first, pass-through commands and responses with the high byte first")
    func orders() {
        #expect(NEO2Frame(.ping).bytes == hex(Self.header + "18010000B3CD"))
        #expect(NEO2Frame(.pollMode, data: [0x01]).bytes == hex(Self.header + "0101000101D734"))
        #expect(NEO2Frame(.firmwareVersion).bytes == hex(Self.header + "29000000DEA0"))
        #expect(NEO2Frame(answering: 0x18, .ok).bytes == hex(Self.header + "18000000FA83"))
        let passThrough = NEO2Frame(NEO2Command(code: 0x2C, subCommand: 0x01), data: [0x00])
        #expect(passThrough.checkOrder == .highFirst)
        #expect(NEO2Frame(parsing: passThrough.bytes) == passThrough)
    }

    @Test(
        "what must be refused is refused, with its reason",
        arguments: [
            ("18010000B3CE", "bad"), ("180000008 3FA", "bad"), ("0200FFFF00112233", "badLength"),
        ])
    func refused(text: String, wanted: String) {
        let bytes = hex(Self.header + text)
        var deframer = Deframer(.neo2(NEO2FrameFormat()))
        let events = deframer.feed(bytes) + deframer.finish()
        if wanted == "bad" {
            #expect(events == [.frame(bytes: bytes, offset: 0, isGood: false)])
        } else {
            #expect(events == [.noise(offset: 0, count: bytes.count, reason: .badLength)])
        }
        #expect(events.allSatisfy { $0.goodFrame == nil })
    }

    @Test("a driver refuses a response in the order of commands, a reader accepts commands in both orders")
    func roles() {
        let swapped = hex(Self.header + "1800000083FA")
        var driver = Deframer(.neo2(NEO2FrameFormat()))
        #expect(driver.feed(swapped) == [.frame(bytes: swapped, offset: 0, isGood: false)])
        var reader = Deframer(.neo2(NEO2FrameFormat(checkOrder: .either)))
        for command in ["18010000B3CD", "18010000CDB3", "9007000100 8FB4"] {
            let bytes = hex(Self.header + command)
            #expect(reader.feed(bytes).compactMap(\.goodFrame) == [bytes])
        }
    }

    @Test("noise, a false start, an old header and a cut frame are passed over")
    func noise() {
        let ping = hex(Self.header + "18000000FA83")
        var deframer = Deframer(.neo2(NEO2FrameFormat()))
        #expect(
            deframer.feed(hex("00FF5669") + ping) == [
                .noise(offset: 0, count: 4, reason: .badHeader), .frame(bytes: ping, offset: 4, isGood: true),
            ])
        let old = hex("56695 64F74656368 00 431801")
        #expect(deframer.feed(old + ping).compactMap(\.goodFrame) == [ping])
        #expect(deframer.feed(hex("450055000401110000B628")).contains { $0.goodFrame != nil } == false)
        #expect(deframer.feed(hex("4500550003011100") + ping).compactMap(\.goodFrame) == [ping])
        #expect(deframer.feed(ping.dropLast().map { $0 }).isEmpty, "a cut answer is waited for")
        #expect(deframer.heldCount == ping.count - 1)
        let rest = deframer.finish()
        #expect(rest.count == 1)
        guard case .noise(_, ping.count - 1, .cut)? = rest.first else {
            Issue.record("\(rest)")
            return
        }
    }

    @Test("every status and every command has a name")
    func names() {
        for byte in UInt8.min...UInt8.max { #expect(!NEO2Status(rawValue: byte).name.isEmpty) }
        #expect(NEO2Status(rawValue: 0x23).name == "request online authorisation")
        #expect(NEO2Status(rawValue: 0x77).name == "status 77 (not published)")
        #expect(NEO2Status.interim.isInterim && NEO2Status.userInterfaceEvent.isInterim)
        #expect(!NEO2Status.ok.isInterim)
        #expect(NEO2Command.ping.name == "ping")
        #expect(NEO2Command(code: 0x02, subCommand: 0x40).name == "activate transaction")
        #expect(NEO2Command(code: 0xFE, subCommand: 0x40).name == nil)
    }
}

@Suite("NEO2 results")
struct NEO2ResultTests {
    /// E1 57 can be a template of 87 bytes: the objects in it are then missed.
    @Test("a byte of attribution that could be a tag is told by the objects behind it")
    func attributionLikeATag() throws {
        // 57, 84 and 9F36; E1 read as a template ends where 9F36 begins.
        let objects: [UInt8] =
            [0x57, 0x02, 0x47, 0xCC, 0x84, 0x52] + [UInt8](repeating: 0x11, count: 0x52)
            + [0x9F, 0x36, 0x02, 0x00, 0x01]
        let data = [0xE1] + objects
        let couldBeATemplate = DataObjects.areSound(data.span, 0..<data.count)
        #expect(couldBeATemplate)
        let result = try #require(NEO2Result(data))
        #expect(result.attribution?.rawValue == 0xE1)
        #expect(result.objects == 1..<data.count)
        let plain: [UInt8] = [0xE1, 0x03, 0x84, 0x01, 0x00, 0x9F, 0x27, 0x01, 0x80]
        #expect(try #require(NEO2Result(plain)).attribution == nil)
    }

    @Test("a captured swipe gives its attribution, the last four digits, serial number and KSN")
    func swipe() throws {
        let frame = try #require(NEO2Frame(parsing: FrameVectors.neo2Swipe))
        let result = try #require(NEO2Result(frame.data))
        let attribution = try #require(result.attribution)
        #expect(attribution.rawValue == 0xE8)
        #expect(attribution.encryptsStripe && attribution.encryptsEMV)
        #expect(attribution.interface == .swipe)
        #expect(attribution.cipher == "TDES")
        let masked = try #require(NEO2Result.maskedPAN(frame.data, result.objects))
        #expect(masked.text == "4761********0043")
        #expect(masked.lastFour == "0043")
        let block = try #require(NEO2MagneticStripe(parsing: Array(frame.data[13..<325])))
        #expect(block.maskedTracks[1] == Array(";4761********0043=2412****************?*".utf8))
        #expect(block.encryptedTracks.map(\.count) == [80, 40, 0])
        #expect(block.hashes.map(\.count) == [20, 20])
        #expect(block.serialNumber == "310T061040")
        #expect(block.keySerialNumber == hex("FFFFFF0200110940000F"))
    }

    @Test("clear data begins with its objects, and a clear number is never a masked one")
    func clear() throws {
        let frame = try #require(NEO2Frame(parsing: FrameVectors.neo2[24]))
        #expect(NEO2Result(frame.data)?.attribution == nil)
        #expect(NEO2Result(frame.data)?.objects == 0..<33)
        for value in ["5A084761739001010119", "57114761739001010119D24122011234500000"] {
            let data = hex(value)
            #expect(NEO2Result.maskedPAN(data, 0..<data.count) == nil)
        }
        let masked = hex("5A084761CCCCCCCC0043")
        #expect(NEO2Result.maskedPAN(masked, 0..<masked.count)?.text == "4761********0043")
        let empty = hex("57005A005F3400")
        #expect(NEO2Result.maskedPAN(empty, 0..<empty.count) == nil)
    }

    @Test("a block with wrong lengths or check bytes is refused, byte by byte")
    func damaged() throws {
        let frame = try #require(NEO2Frame(parsing: FrameVectors.neo2Swipe))
        let good = Array(frame.data[13..<325])
        for place in good.indices {
            var bad = good
            bad[place] ^= 0x01
            #expect(NEO2MagneticStripe(parsing: bad) == nil, "byte \(place)")
        }
        for count in good.indices { #expect(NEO2MagneticStripe(parsing: Array(good[..<count])) == nil) }
    }
}

@Suite("NEO2 HID reports")
struct NEO2ReportTests {
    @Test("a ping is one report with id 01, filled with zeros")
    func single() {
        let ping = NEO2Frame(.ping).bytes
        #expect(NEO2Report.pack(ping) == [[0x01] + ping + [UInt8](repeating: 0, count: 47)])
    }

    @Test("every vector is packed and put together again, also one whose CRC ends in 00")
    func roundTrip() {
        for message in FrameVectors.neo2 + FrameVectors.neo2Events + [FrameVectors.neo2Swipe] {
            var assembler = NEO2ReportAssembler(NEO2FrameFormat(checkOrder: .either))
            let events = NEO2Report.pack(message).flatMap { assembler.feed($0) }
            #expect(events == [.message(message, isGood: true)])
            #expect(assembler.heldCount == 0)
        }
        #expect(NEO2Report.pack(FrameVectors.neo2Swipe).map { $0[0] } == [2, 3, 3, 3, 3, 3, 4])
    }

    @Test("another first report drops an unfinished message; a stray one is told")
    func unfinished() {
        var assembler = NEO2ReportAssembler()
        let reports = NEO2Report.pack(FrameVectors.neo2Swipe)
        #expect(assembler.feed(reports[1]) == [.dropped(count: 64, reason: .noStart)])
        #expect(assembler.feed(reports[0]).isEmpty)
        let answer = hex(FrameVectors.neo2Header + "18000000FA83")
        #expect(
            assembler.feed(NEO2Report.pack(answer)[0])
                == [.dropped(count: 63, reason: .cut), .message(answer, isGood: true)])
        #expect(assembler.feed([0x09, 0x01]) == [.dropped(count: 2, reason: .badHeader)])
        #expect(assembler.feed([]).isEmpty)
        // A long message that begins with id 01 is gone on with by its length.
        var first = reports[0]
        first[0] = 0x01
        let events = ([first] + reports.dropFirst()).flatMap { assembler.feed($0) }
        #expect(events == [.message(FrameVectors.neo2Swipe, isGood: true)])
    }

    @Test("random reports of 10,000 seeds: no trap, never more than one message kept")
    func random() {
        for seed in UInt64(0)..<10_000 {
            var generator = SeededGenerator(seed: seed)
            var assembler = NEO2ReportAssembler()
            for _ in 0..<4 {
                var report = generator.bytes(upTo: 64)
                if Bool.random(using: &generator) {
                    report = [UInt8.random(in: 0...5, using: &generator)] + hex(FrameVectors.neo2Header) + report
                }
                _ = assembler.feed(report)
                #expect(assembler.heldCount <= 8192 + 16)
                _ = NEO2MagneticStripe(parsing: report)
                _ = NEO2Result(report)
            }
        }
    }
}
