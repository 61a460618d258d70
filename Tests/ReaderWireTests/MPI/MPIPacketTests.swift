import ReaderWire
import Testing

/// Expected bytes and refusals: the reader fact vectors (the Miura SDK's packet tests).
@Suite("MPI packets")
struct MPIPacketTests {
    @Test("every good vector is taken apart and made again to the same bytes", arguments: FrameVectors.mpi)
    func roundTrip(bytes: [UInt8]) throws {
        let packet = try #require(MPIPacket(parsing: bytes))
        #expect(packet.bytes == bytes)
        #expect(packet.isChained == (bytes[1] & 1 == 1))
        #expect(packet.isUnsolicited == (bytes[1] & 0x40 != 0))
    }

    @Test(
        "what must be refused is refused, with its reason",
        arguments: [
            ("00 00 02 50 60 32", NoiseReason.noStart), ("F0 00 06 10 11 12 13 90 00 66", .noStart),
            ("01 FF 02 50 60 CC", .badHeader), ("01 00 00 01", .badLength), ("01 00 01 90 90", .badLength),
            ("01 00 FF 11", .badLength), ("01 00 06 10 11", .cut),
        ])
    func refused(text: String, reason: NoiseReason) {
        var deframer = Deframer(.mpi)
        let events = deframer.feed(hex(text)) + deframer.finish()
        #expect(events.allSatisfy { $0.goodFrame == nil })
        guard case .noise(0, _, let found)? = events.first else {
            Issue.record("\(events)")
            return
        }
        // A run has the first reason that says more than that nothing begins there.
        #expect(found == reason || (reason == .noStart && found != .badCheck))
    }

    @Test("a wrong LRC makes a bad packet, and what follows is found")
    func wrongCheck() {
        let bad = hex("01 00 06 10 11 12 13 90 00 00")
        let good = FrameVectors.mpi[0]
        var deframer = Deframer(.mpi)
        #expect(
            deframer.feed(bad + good) == [
                .frame(bytes: bad, offset: 0, isGood: false), .frame(bytes: good, offset: 10, isGood: true),
            ])
        // Printed in public material as device information.
        #expect(MPIPacket(parsing: hex("01 00 04 D0 02 00 00 D4")) == nil)
    }

    @Test(
        "a message is cut into packets of 2 to 254 bytes",
        arguments: [2, 3, 253, 254, 255, 256, 508, 509, 510, 763, 2000])
    func packets(count: Int) throws {
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let packets = MPIPacket.packets(message)
        #expect(packets.allSatisfy { (2...254).contains($0.part.count) })
        #expect(packets.dropLast().allSatisfy { $0.isChained })
        #expect(packets.last?.isChained == false)
        var reassembler = MPIReassembler()
        var events: [MPIReassembler.Event] = []
        for packet in packets {
            let received = try #require(MPIPacket(parsing: packet.bytes))
            if let event = reassembler.take(received) { events.append(event) }
        }
        #expect(events == [.message(message, isUnsolicited: false)])
        #expect(reassembler.heldCount == 0)
    }

    @Test("an unsolicited message between two parts of an answer disturbs neither")
    func between() throws {
        var reassembler = MPIReassembler()
        func take(_ text: String) throws -> MPIReassembler.Event? {
            reassembler.take(try #require(MPIPacket(parsing: hex(text))))
        }
        #expect(try take("01 01 07 E4 0A 9F 36 02 00 01 43") == nil)
        #expect(
            try take("01 40 0B E6 07 C4 05 52 45 41 44 59 90 00 B1")
                == .message(hex("E607C405524541445990 00"), isUnsolicited: true))
        #expect(
            try take("01 00 06 9F 27 01 80 90 00 AE")
                == .message(hex("E40A9F360200019F270180 9000"), isUnsolicited: false))
    }

    @Test("a chain without end is given up, and the next message is read")
    func endless() throws {
        var reassembler = MPIReassembler(longestMessage: 1000)
        let part = try #require(MPIPacket(isChained: true, part: [UInt8](repeating: 7, count: 254)))
        let end = try #require(MPIPacket(part: [0x90, 0x00]))
        var events: [MPIReassembler.Event] = []
        for _ in 0..<50 {
            if let event = reassembler.take(part) { events.append(event) }
            #expect(reassembler.heldCount <= 1000)
        }
        #expect(events == [.tooLong(isUnsolicited: false)])
        #expect(reassembler.take(end) == nil)
        #expect(reassembler.take(end) == .message([0x90, 0x00], isUnsolicited: false))
    }

    @Test("commands and responses are taken apart and made again")
    func messages() throws {
        #expect(MPIPacket.packets(MPICommand.reset.bytes).map(\.bytes) == [hex("01 00 04 D0 00 00 00 D5")])
        #expect(
            MPIPacket.packets(MPICommand.cardStatus(isOn: true).bytes).map(\.bytes) == [hex("01 00 04 D0 60 01 01 B5")])
        #expect(MPIPacket.packets(MPICommand.usbDisconnect.bytes).map(\.bytes) == [hex("01 00 04 D0 C0 00 00 15")])
        let proceed = MPICommand(cla: 0xDE, ins: 0xD2, data: hex("E0048A023030"))
        #expect(MPIPacket.packets(proceed.bytes).map(\.bytes) == [hex("01 00 0B DE D2 00 00 06 E0 04 8A 02 30 30 6C")])
        #expect(MPICommand(parsing: proceed.bytes) == proceed)
        #expect(proceed.name == "continue transaction")
        #expect(MPICommand(parsing: hex("D0000000 05 11")) == nil)
        let answer = try #require(MPIResponse(parsing: hex("E607C4055245414459 9000")))
        #expect(answer.isSuccess && answer.template == .deviceStatus)
        #expect(answer.bytes == hex("E607C4055245414459 9000"))
        #expect(MPIResponse(parsing: hex("9F13"))?.statusWord == 0x9F13)
        #expect(MPIResponse(parsing: [0x90]) == nil)
    }

    @Test("an encrypted PIN is passed on, and never shown")
    func onlinePIN() throws {
        let command = MPICommand.onlinePIN(hex("9F0206000000010000"))
        #expect(command.bytes == hex("DED60000 0B E009 9F0206000000010000"))
        #expect(command.isSecret)
        let answer = try #require(
            MPIResponse(parsing: hex("E11A DFAE0408 0102030405060708 DFAE050A FFFF9876543210E00001 9000")))
        let pin = try #require(MPIOnlinePIN(answer))
        #expect(pin.encryptedBlock == hex("0102030405060708"))
        #expect(pin.keySerialNumber == hex("FFFF9876543210E00001"))
        #expect(String(reflecting: pin) == "online PIN, 8 bytes")
        for other in [
            "E10C DFAE0408 0102030405060708 9000", "E111 DFAE0403 010203 DFAE0508 0102030405060708 9000", "9F41",
        ] {
            #expect(MPIResponse(parsing: hex(other)).flatMap(MPIOnlinePIN.init) == nil)
        }
    }
}
