import ReaderWire
import Testing

@Suite struct T1EngineTests {
    private static let done = T1Engine.Action.complete(hex("9000"))

    /// SELECT of the master file as libccid and the OsEID card exchanged it (OsEID documentation, T1_CRC.txt).
    @Test func matchesATraceOfAnotherDriver() {
        func sends(_ text: String) -> T1Engine.Action { .send(hex(text), waitingTimeMultiplier: 1) }
        var engine = T1Engine(errorDetection: .crc, informationFieldSizeCard: 254)
        #expect(engine.startIFS() == sends("00C101FE544E"))
        #expect(engine.receive(hex("00E101FE5775")) == .complete([]))
        #expect(engine.start(apdu: hex("00A4000000")) == sends("00000500A4000000B8DA"))
        let first = "0020146F1781027FFF82013883023F008603113FFF85021029"
        #expect(engine.receive(hex(first)) == sends("009000206E"))
        #expect(engine.receive(hex("00600700028A01AA9000A633")) == sends("008000B5FF"))
        #expect(
            engine.receive(hex("0000003933"))
                == .complete(hex("6F1781027FFF82013883023F008603113FFF850200028A01AA9000")))
    }

    @Test func sequenceNumbersSurviveFromCommandToCommand() {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 32)
        for sequence in ["00", "40", "00", "40"] {
            #expect(engine.start(apdu: hex("00B0000001")) == sends("\(sequence) 00B0000001"))
            #expect(engine.receive(block("\(sequence) 9000")) == Self.done)
        }
        _ = engine.start(apdu: hex("00B0000001"))
        _ = engine.receive(block("00 9000"))
        engine.reset()
        #expect(engine.start(apdu: hex("00B0000001")) == sends("00 00B0000001"))
    }

    @Test func announcesTheFieldSizeOfTheDevice() {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 32)
        #expect(engine.startIFS() == sends("C1 FE"))
        #expect(engine.receive(block("E1 20")) == sends("C1 FE"))
        #expect(engine.receive(block("E1 FE")) == .complete([]))
        // The numbers of I-blocks are not touched.
        #expect(engine.start(apdu: hex("00B0000001")) == sends("00 00B0000001"))
    }

    @Test func aCardWithoutFieldSizeNegotiationStaysUsable() {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 32, informationFieldSizeDevice: 64)
        #expect(engine.startIFS() == sends("C1 40"))
        #expect(engine.receive(block("82")) == sends("C1 40"))
        #expect(engine.timedOut() == sends("C1 40"))
        #expect(engine.receive(block("82")) == .fail(.informationFieldSizeNotAgreed))
        #expect(engine.start(apdu: hex("00B0000001")) == sends("00 00B0000001"))
    }

    @Test func afterAFailureTheNextCommandResynchronisesFirst() {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 32)
        _ = engine.start(apdu: hex("00B0000001"))
        _ = engine.receive(block("C2"))
        #expect(engine.timedOut() == .fail(.abortedByCard))
        var afterReset = engine
        #expect(engine.start(apdu: hex("00B0000002")) == sends("C0"))
        #expect(engine.receive(block("E0")) == sends("00 00B0000002"))
        #expect(engine.receive(block("00 9000")) == Self.done)
        afterReset.reset()
        #expect(afterReset.start(apdu: hex("00B0000002")) == sends("00 00B0000002"))
    }

    @Test func aCommandGivenUpIsFollowedByAResynchronisation() {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 32)
        _ = engine.start(apdu: hex("00B0000001"))
        #expect(engine.start(apdu: hex("00B0000002")) == sends("C0"))
    }

    @Test func resynchronisationBringsBackTheFirstFieldSize() {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 5)
        _ = engine.start(apdu: hex("00B0000001"))
        _ = engine.receive(block("C1 02"))
        #expect(engine.informationFieldSizeCard == 2)
        for _ in 0..<3 { _ = engine.receive(block("80")) }
        #expect(engine.receive(block("E0")) == sends("00 00B0000001"))
        #expect(engine.informationFieldSizeCard == 5)
    }

    @Test func nodeAddressesAreExchangedInTheAnswer() {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 32, nodeAddress: 0x21)
        let first = checked([0x21, 0x00, 0x01, 0xAA])
        #expect(engine.start(apdu: [0xAA]) == .send(first, waitingTimeMultiplier: 1))
        #expect(engine.receive(first) == .send(checked([0x21, 0x82, 0x00]), waitingTimeMultiplier: 1))
        #expect(engine.receive(checked([0x12, 0x00, 0x02, 0x90, 0x00])) == Self.done)
    }

    @Test func refusesCommandsWithoutOrWithTooManyBytes() {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 254)
        #expect(engine.start(apdu: []) == .fail(.commandLength))
        #expect(engine.start(apdu: [UInt8](repeating: 0, count: 65_545)) == .fail(.commandLength))
        #expect(engine.receive(block("00 9000")) == .fail(.notWaiting))
        #expect(engine.timedOut() == .fail(.notWaiting))
    }

    @Test func fieldSizesAreBroughtIntoRange() {
        let small = T1Engine(errorDetection: .lrc, informationFieldSizeCard: -1, informationFieldSizeDevice: 0)
        #expect(small.informationFieldSizeCard == 1)
        #expect(small.informationFieldSizeDevice == 1)
        let large = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 1000, informationFieldSizeDevice: 255)
        #expect(large.informationFieldSizeCard == 254)
        #expect(large.informationFieldSizeDevice == 254)
    }

    @Test func theLongestCommandGoesThroughASmallField() {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 8)
        let command = (0..<65_544).map { UInt8(truncatingIfNeeded: $0) }
        var action = engine.start(apdu: command)
        var received: [UInt8] = []
        while case .send(let bytes, _) = action, let part = try? T1Block(parsing: bytes, errorDetection: .lrc),
            case .information(let sequence, let more) = part.kind
        {
            received += part.information
            action = engine.receive(block(more ? (sequence == 0 ? "90" : "80") : "00 9000"))
        }
        #expect(received == command)
        #expect(action == Self.done)
    }
}
