import ReaderWire
import Testing

@Suite struct ProtocolParametersTests {
    @Test func characterCardAtInitialSpeed() throws {
        let atr = try AnswerToReset(parsing: hex("3B6500002063CB6800"))
        let parameters = ProtocolParameters(atr: atr, protocol: .t0, usesDefaultSpeed: true)
        #expect(parameters.bytes == hex("11 00 00 0A 00"))
        #expect(parameters.protocolNumber == 0)
    }

    @Test func blockCardAtItsOwnSpeed() throws {
        let atr = try AnswerToReset(parsing: [0x3F] + checked(hex("90 96 91 81 71 F8 12 01")))
        let parameters = ProtocolParameters(atr: atr, protocol: .t1, usesDefaultSpeed: false)
        // b5 set, inverse convention, CRC.
        #expect(parameters.bytes == hex("96 13 00 12 00 F8 00"))
        #expect(parameters.protocolNumber == 1)
    }

    /// As libccid sent them for the OsEID card (OsEID documentation, T1_CRC.txt).
    @Test func matchesATraceOfAnotherDriver() throws {
        let atr = try AnswerToReset(parsing: hex("3BD596028071FE65014F734549445E"))
        let parameters = ProtocolParameters(atr: atr, protocol: .t1, usesDefaultSpeed: false)
        #expect(parameters.bytes == hex("96 11 02 65 00 FE 00"))
    }

    @Test func initialSpeedReplacesTA1() throws {
        let atr = try AnswerToReset(parsing: hex("3BFA1800008131FE454A434F503431563232319D"))
        #expect(
            ProtocolParameters(atr: atr, protocol: .t1, usesDefaultSpeed: true).bytes == hex("11 10 00 45 00 FE 00"))
        #expect(
            ProtocolParameters(atr: atr, protocol: .t1, usesDefaultSpeed: false).bytes == hex("18 10 00 45 00 FE 00"))
    }

    @Test(arguments: [(UInt8(0), "9502FF0A03"), (1, "9511004D00FE00"), (1, "1810FF4502207A")])
    func parsesWhatItWrites(number: UInt8, text: String) throws {
        let parameters = try ProtocolParameters(parsing: hex(text), protocolNumber: number)
        #expect(parameters.bytes == hex(text))
        #expect(parameters.protocolNumber == number)
    }

    @Test func refusesWrongSizes() {
        for count in 0...12 where count != 5 {
            #expect(throws: ProtocolParametersError.wrongLength) {
                try ProtocolParameters(parsing: [UInt8](repeating: 0, count: count), protocolNumber: 0)
            }
        }
        for count in 0...12 where count != 7 {
            #expect(throws: ProtocolParametersError.wrongLength) {
                try ProtocolParameters(parsing: [UInt8](repeating: 0, count: count), protocolNumber: 1)
            }
        }
        #expect(throws: ProtocolParametersError.unknownProtocol) {
            try ProtocolParameters(parsing: hex("1100000A00"), protocolNumber: 2)
        }
    }
}

@Suite struct PPSRequestTests {
    @Test func bytesWithAndWithoutSpeed() {
        #expect(PPSRequest(protocol: .t1, ta1: 0x96).bytes == hex("FF 11 96 78"))
        #expect(PPSRequest(protocol: .t0, ta1: 0x95).bytes == hex("FF 10 95 7A"))
        #expect(PPSRequest(protocol: .t0).bytes == hex("FF 00 FF"))
        #expect(PPSRequest(protocol: .t1).bytes == hex("FF 01 FE"))
    }

    @Test(
        arguments: [
            ("FF119678", PPSOutcome.agreed), ("FF01FE", .agreedAtInitialSpeed),
            ("FF00FF", .failed), ("FF119579", .failed), ("FF119679", .failed), ("FF1196", .failed), ("", .failed),
            ("FF11967800", .failed), ("FE119679", .failed), ("FF31960058", .failed),
        ])
    func judgesResponses(text: String, outcome: PPSOutcome) {
        let request = PPSRequest(protocol: .t1, ta1: 0x96)
        #expect(request.outcome(of: hex(text)) == outcome)
        #expect(request.accepts(hex(text)) == (outcome == .agreed))
    }

    @Test func aRequestWithoutSpeedIsAgreedByItsEcho() {
        #expect(PPSRequest(protocol: .t1).accepts(hex("FF01FE")))
    }

    @Test func randomBytesAreNoAgreement() {
        let request = PPSRequest(protocol: .t1, ta1: 0x96)
        for seed in 0..<10_000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let bytes = generator.bytes(upTo: 8)
            #expect(request.accepts(bytes) == (bytes == request.bytes))
        }
    }
}
