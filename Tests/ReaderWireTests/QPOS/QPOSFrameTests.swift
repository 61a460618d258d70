import ReaderWire
import Testing

/// Expected bytes and refusals: the reader fact vectors (DSpread's public host code).
@Suite("QPOS frames")
struct QPOSFrameTests {
    @Test("every good vector is taken apart and made again to the same bytes", arguments: FrameVectors.qpos)
    func roundTrip(bytes: [UInt8]) throws {
        let frame = try #require(QPOSFrame(parsing: bytes))
        #expect(frame.bytes == bytes)
        #expect(frame.data == Array(bytes[9..<bytes.count - 1]))
    }

    @Test("frames are made as the vendor's host code makes them")
    func made() {
        #expect(QPOSFrame(.reset, timeout: 60).bytes == hex("4D 00 06 20 00 00 3C 00 00 57"))
        #expect(QPOSFrame(.query, timeout: 90).bytes == hex("4D 00 06 22 00 00 5A 00 00 33"))
        #expect(QPOSFrame(.nextPart, timeout: 90).bytes == hex("4D 00 06 36 00 00 5A 00 00 27"))
        #expect(QPOSFrame(.userCancel, timeout: 5).bytes == hex("4D 00 06 28 00 00 05 00 00 66"))
        #expect(QPOSFrame(.readerID, timeout: 10).bytes == hex("4D 00 06 21 10 00 0A 00 00 70"))
        #expect(
            QPOSFrame(.onlineResult, timeout: 30, data: hex("8A023030")).bytes
                == hex("4D 00 0A 21 16 40 1E 00 04 8A 02 30 30 A2"))
    }

    @Test(
        "what must be refused is refused",
        arguments: [
            "4D 00 06 28 00 00 05 00 00 67", "4C 00 06 28 00 00 05 00 00 67", "4D 00 05 24 16 20 00 00 5A",
            "4D 00 07 24 16 20 00 00 02 01 5B", "4D FF FF 24 16 20", "4D 00 06 23 16",
        ])
    func refused(text: String) {
        var deframer = Deframer(.qpos)
        let bytes = hex(text)
        let events = deframer.feed(bytes) + deframer.finish()
        #expect(!events.isEmpty)
        #expect(events.allSatisfy { $0.goodFrame == nil })
        #expect(QPOSFrame(parsing: bytes) == nil)
        // What follows is found at once.
        let good = FrameVectors.qpos[0]
        #expect((deframer.feed(bytes + good) + deframer.finish()).compactMap(\.goodFrame) == [good])
    }

    @Test("an impossible length is not waited for")
    func impossible() {
        var deframer = Deframer(.qpos)
        #expect(deframer.feed(hex("4D FF FF")) == [.noise(offset: 0, count: 3, reason: .badLength)])
        #expect(deframer.heldCount == 0)
    }

    @Test("ids that both sides use are told apart by the command")
    func sides() {
        for (text, isHost) in [
            ("4D 00 06 28 00 00 05 00 00 66", true), ("4D 00 06 28 16 20 00 00 00 55", false),
            ("4D 00 06 36 00 00 5A 00 00 27", true),
            ("4D 00 16 36 16 30 00 00 10 00 00 03 06 00 00 00 1F 9F 27 01 80 9F 36 02 00 D3", false),
        ] { #expect(QPOSFrame(parsing: hex(text))?.isFromHost == isHost) }
    }

    @Test("every status has a name, and the demands are those of the vendor's host code")
    func statuses() {
        for byte in UInt8.min...UInt8.max { #expect(!QPOSStatus(rawValue: byte).name.isEmpty) }
        for byte: UInt8 in [0x23, 0x41, 0x42, 0x43, 0x52] { #expect(QPOSStatus(rawValue: byte).demand == .query) }
        #expect(QPOSStatus.partData.demand == .nextPart)
        #expect(QPOSStatus.completed.demand == .done && QPOSStatus.completedEncrypted.demand == .done)
        #expect(QPOSStatus.timeout.demand == .failed && QPOSStatus(rawValue: 0x99).demand == .failed)
        #expect(QPOSCommand.startTrade.name == "start trade")
    }
}

@Suite("QPOS answers")
struct QPOSAnswerTests {
    private func frame(_ text: String) throws -> QPOSFrame { try #require(QPOSFrame(parsing: hex(text))) }

    @Test("waiting, parts and the end make one answer")
    func parts() throws {
        var collector = QPOSReplyCollector(command: .startEMV)
        #expect(collector.take(try frame("4D 00 06 23 16 20 00 00 00 5E")) == .late)
        #expect(collector.take(QPOSFrame(id: 0x23, command: 0x16, subCommand: 0x30)) == .query(.waiting))
        let first = try frame("4D 00 16 36 16 30 00 00 10 00 00 03 06 00 00 00 1F 9F 27 01 80 9F 36 02 00 D3")
        let second = try frame(
            "4D 00 1D 24 16 30 00 00 17 01 9F 26 08 11 22 33 44 55 66 77 88 95 05 00 00 00 00 00 9B 02 E8 00 9C")
        #expect(collector.take(first) == .sendNextPart)
        let whole = try frame(
            "4D 00 2D 24 16 30 00 00 27 00 00 03 06 00 00 00 1F 9F 27 01 80 9F 36 02 00 01 9F 26 08 11 22 33 44 55 66 77 "
                + "88 95 05 00 00 00 00 00 9B 02 E8 00 14")
        #expect(collector.take(second) == .done(whole))
        let result = try #require(QPOSEMVResult(parsing: whole.data))
        #expect(result.outcome == .goOnline)
        #expect(result.kind == 0x06 && result.isClear)
        #expect(result.objects == 8..<39)
    }

    @Test("parts without end fail, and so does any other status")
    func endless() {
        var collector = QPOSReplyCollector(command: .startEMV)
        var last = QPOSReplyCollector.Step.sendNextPart
        for _ in 0..<300 where last == .sendNextPart {
            last = collector.take(
                QPOSFrame(id: 0x36, command: 0x16, subCommand: 0x30, data: [UInt8](repeating: 1, count: 400)))
        }
        #expect(last == .tooLong)
        var other = QPOSReplyCollector(command: .startTrade)
        #expect(other.take(QPOSFrame(id: 0x25, command: 0x16, subCommand: 0x20)) == .failed(.timeout))
    }

    @Test("a swipe gives its masked number and KSN; what is missing at the end is not read")
    func swipe() throws {
        let swipe = try frame(
            "4D 00 34 24 16 20 00 00 2E 00 00 00 00 00 00 10 34 37 36 31 2A 2A 2A 2A 2A 2A 2A 2A 30 30 34 33 04 32 34 31 32 03 "
                + "32 30 31 00 00 0A FF FF FF 02 00 11 09 40 00 0F 00 C7")
        let card = try #require(QPOSCardData(parsing: swipe.data))
        #expect(card.cardState == .swiped)
        #expect(card.maskedPAN?.text == "4761********0043")
        #expect(card.maskedPAN?.lastFour == "0043")
        #expect(card.trackKeySerialNumber == hex("FFFFFF0200110940000F"))
        #expect(card.pinKeySerialNumber == nil)
        #expect(!card.isCut)
        for count in 1..<swipe.data.count { _ = QPOSCardData(parsing: Array(swipe.data[..<count])) }
        #expect(QPOSCardData(parsing: [0x00, 0x00, 0x05, 0x01])?.isCut == true)
        #expect(QPOSCardData(parsing: [0x01])?.cardState == .inserted)
        #expect(QPOSCardData(parsing: [0x05])?.cardState == .contactless(5))
    }

    @Test("applications to choose from are listed")
    func choice() throws {
        let frame = try frame(
            "4D 00 1B 24 16 30 02 00 15 02 00 00 04 56 49 53 41 00 00 0A 4D 41 53 54 45 52 43 41 52 44 4A")
        #expect(frame.timeoutOrResult == QPOSApplicationChoice.result)
        #expect(
            QPOSApplicationChoice(parsing: frame.data)?.names == [Array("VISA".utf8), Array("MASTERCARD".utf8)])
        for count in 0..<frame.data.count {
            #expect(QPOSApplicationChoice(parsing: Array(frame.data[..<count])) == nil)
        }
    }

    @Test("accepted, denied, and accepted with a reversal")
    func outcomes() {
        func outcome(_ text: String) -> QPOSEMVResult.Outcome? { QPOSEMVResult(parsing: hex(text))?.outcome }
        #expect(outcome("00 00 01 03 00 00 00 00") == .accepted)
        #expect(outcome("00 00 02 03 00 00 00 00") == .denied)
        #expect(outcome("00 00 01 07 00 00 00 00") == .denied)
        #expect(outcome("00 00 09 07 00 00 00 00") == .other(9))
        #expect(outcome("00 00 01 03 00 00 00 01") == nil)
        #expect(outcome("00 00 01 03 05 00 00 00") == nil)
    }
}
