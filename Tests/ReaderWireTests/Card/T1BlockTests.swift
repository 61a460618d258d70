import ReaderWire
import Testing

@Suite struct T1BlockTests {
    /// Blocks that libccid and the OsEID card exchanged (OsEID documentation, T1_CRC.txt).
    @Test(
        arguments: [
            "00C101FE544E", "00E101FE5775", "00000500A4000000B8DA", "0090 00 206E", "006007 00028A01AA9000 A633",
            "008000B5FF", "0000003933",
        ])
    func cyclicRedundancyCheckOfATrace(text: String) throws {
        let block = try T1Block(parsing: hex(text), errorDetection: .crc)
        #expect(block.bytes(errorDetection: .crc) == hex(text))
    }

    @Test(
        arguments: [
            ("0000 05 00A4040000 A5", T1Block.Kind.information(sequence: 0, more: false)),
            ("0040 00 40", .information(sequence: 1, more: false)),
            ("0020 01 FF DE", .information(sequence: 0, more: true)),
            ("0080 00 80", .receiveReady(sequence: 0, .errorFree)),
            ("0091 00 91", .receiveReady(sequence: 1, .checkError)),
            ("0082 00 82", .receiveReady(sequence: 0, .otherError)),
            ("00C0 00 C0", .supervisory(.resynchronisation, isResponse: false)),
            ("00E0 00 E0", .supervisory(.resynchronisation, isResponse: true)),
            ("00C1 01 FE 3E", .supervisory(.informationFieldSize, isResponse: false)),
            ("00E2 00 E2", .supervisory(.abort, isResponse: true)),
            ("00C3 01 05 C7", .supervisory(.waitingTimeExtension, isResponse: false)),
        ])
    func readsAndWritesBlocks(text: String, kind: T1Block.Kind) throws {
        let block = try T1Block(parsing: hex(text), errorDetection: .lrc)
        #expect(block.kind == kind)
        #expect(block.bytes(errorDetection: .lrc) == hex(text))
    }

    @Test(
        arguments: [
            ("", T1BlockError(.tooShort, at: 0)), ("000000", T1BlockError(.tooShort, at: 3)),
            ("0000FF00", T1BlockError(.reservedLength, at: 2)),
            ("00000200FD", T1BlockError(.lengthMismatch, at: 5)),
            ("0000000000", T1BlockError(.lengthMismatch, at: 4)),
            ("00000001", T1BlockError(.badErrorDetectionCode, at: 3)),
            ("00010001", T1BlockError(.reservedControlByte, at: 1)),
            ("00830083", T1BlockError(.reservedControlByte, at: 1)),
            ("00A000A0", T1BlockError(.reservedControlByte, at: 1)),
            ("00C400C4", T1BlockError(.reservedControlByte, at: 1)),
            ("0080010081", T1BlockError(.wrongInformationLength, at: 2)),
            ("00C100C1", T1BlockError(.wrongInformationLength, at: 2)),
            ("00C00100C1", T1BlockError(.wrongInformationLength, at: 2)),
        ])
    func refusesBadBlocks(text: String, error: T1BlockError) {
        #expect(throws: error) { try T1Block(parsing: hex(text), errorDetection: .lrc) }
    }

    @Test func everyControlByteIsRefusedOrKept() {
        var kept = 0
        for byte in 0...255 as ClosedRange<UInt8> {
            guard let kind = T1Block.Kind(controlByte: byte) else { continue }
            kept += 1
            #expect(kind.controlByte == byte)
        }
        // 4 I-blocks, 2 x 3 R-blocks, 4 x 2 S-blocks.
        #expect(kept == 18)
    }

    @Test func keepsAtMost254Bytes() {
        let block = T1Block(
            kind: .information(sequence: 0, more: false), information: [UInt8](repeating: 1, count: 300))
        #expect(block.information.count == 254)
    }

    @Test(arguments: T1ErrorDetection.allCases)
    func randomBytesNeverTrapAndRandomBlocksSurvive(errorDetection: T1ErrorDetection) {
        for seed in 0..<10_000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let noise = generator.bytes(upTo: 12)
            if let block = try? T1Block(parsing: noise, errorDetection: errorDetection) {
                #expect(block.bytes(errorDetection: errorDetection) == noise)
            }
            let block = T1Block(
                nodeAddress: UInt8.random(in: 0...255, using: &generator),
                kind: .information(sequence: UInt8(seed & 1), more: seed & 2 == 0),
                information: generator.bytes(upTo: 20))
            let bytes = block.bytes(errorDetection: errorDetection)
            #expect((try? T1Block(parsing: bytes, errorDetection: errorDetection)) == block)
            var damaged = bytes
            damaged[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8(seed & 7)
            #expect(throws: T1BlockError.self) { try T1Block(parsing: damaged, errorDetection: errorDetection) }
        }
    }
}
