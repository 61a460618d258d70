import ReaderWire
import Testing

@Suite struct AnswerToResetTests {
    /// A T=1 card as EMV Book 1, 8.1 shows it: TB1, TC1, TD1, TD2, TA3 (IFSC), TB3, and 4 historical bytes.
    static let blockCard = [0x3B] + checked(hex("E4 00 FF 81 31 FE 45 AABBCCDD"))

    @Test func readsACharacterCardOfTheField() throws {
        let atr = try AnswerToReset(parsing: hex("3B6500002063CB6800"))
        #expect(atr.convention == .direct)
        #expect(atr.offeredProtocols == [.t0])
        #expect(atr.protocolNumbers == [0])
        #expect(atr.defaultProtocol == .t0)
        #expect(atr.specificMode == nil)
        #expect(atr.historicalBytes == hex("2063CB6800"))
        #expect(atr.checkCharacter == nil)
        #expect(atr.ta1 == 0x11)
        #expect(atr.extraGuardTime == 0)
        #expect(atr.workWaitingInteger == 10)
        #expect(atr.emvNotes == [])
        #expect(!atr.needsPPS(for: .t0))
    }

    @Test func readsABlockCard() throws {
        let atr = try AnswerToReset(parsing: Self.blockCard)
        #expect(atr.offeredProtocols == [.t1])
        #expect(atr.defaultProtocol == .t1)
        #expect(atr.extraGuardTime == 255)
        #expect(atr.informationFieldSizeCard == 254)
        #expect(atr.blockWaitingInteger == 4)
        #expect(atr.characterWaitingInteger == 5)
        #expect(atr.errorDetection == .lrc)
        #expect(atr.historicalBytes == hex("AABBCCDD"))
        #expect(atr.checkCharacter == Self.blockCard.last)
        #expect(atr.emvNotes == [])
    }

    /// Published answers: JCOP 41, ACOS3 and OsEID (its documentation, T1_CRC.txt).
    @Test(
        arguments: [
            ("3BFA1800008131FE454A434F503431563232319D", [CardProtocol.t1], UInt8(0x18), 254),
            ("3BBE11000041013800000000000000 00019000", [.t0], 0x11, 32),
            ("3BD5960280 71FE65014F73454944 5E", [.t0, .t1], 0x96, 254),
        ])
    func readsPublishedAnswers(text: String, protocols: [CardProtocol], ta1: UInt8, size: Int) throws {
        let atr = try AnswerToReset(parsing: hex(text))
        #expect(atr.offeredProtocols == protocols)
        #expect(atr.ta1 == ta1)
        #expect(atr.informationFieldSizeCard == size)
    }

    @Test func listsProtocolsInTheOrderOfTheCard() throws {
        // TD1: T=0 then TD2: T=1, then TD3: T=15 with TA4 = clock stop either.
        let atr = try AnswerToReset(parsing: [0x3F] + checked(hex("80 80 81 1F C3")))
        #expect(atr.convention == .inverse)
        #expect(atr.protocolNumbers == [0, 1])
        #expect(atr.offeredProtocols == [.t0, .t1])
        #expect(atr.defaultProtocol == .t0)
        #expect(atr.needsPPS(for: .t1))
        #expect(!atr.needsPPS(for: .t0))
        #expect(atr.clockStop == 3)
        #expect(atr.informationFieldSizeCard == 32)
        #expect(atr.blockWaitingInteger == 4)
        #expect(atr.characterWaitingInteger == 13)
    }

    @Test func keepsForeignProtocolsAsNumbers() throws {
        let atr = try AnswerToReset(parsing: [0x3B] + checked(hex("80 8E 01")))
        #expect(atr.protocolNumbers == [14, 1])
        #expect(atr.offeredProtocols == [.t1])
        #expect(atr.defaultProtocol == .t1)
        #expect(atr.needsPPS(for: .t1))
        #expect(atr.emvNotes.contains(.firstProtocolOutsideEMV))
    }

    @Test func specificModeFixesTheProtocol() throws {
        // TA1 = 96, TD1 = 91 announces TA2 = 81 and TD2, TD2 = 71 announces TA3, TB3, TC3 = 01 (CRC).
        let atr = try AnswerToReset(parsing: [0x3B] + checked(hex("90 96 91 81 71 20 12 01")))
        let mode = try #require(atr.specificMode)
        #expect(mode.protocol == .t1)
        #expect(!mode.mayChangeToNegotiable)
        #expect(mode.usesInterfaceByteSpeed)
        #expect(atr.defaultProtocol == .t1)
        #expect(!atr.needsPPS(for: .t1))
        #expect(atr.errorDetection == .crc)
        #expect(atr.informationFieldSizeCard == 32)
        #expect(atr.emvNotes == [.errorDetectionOutsideEMV])
    }

    @Test func specificModeOfAForeignProtocolLeavesNone() throws {
        let atr = try AnswerToReset(parsing: [0x3B] + checked(hex("80 91 1E 01")))
        #expect(atr.specificMode?.protocolNumber == 14)
        #expect(atr.defaultProtocol == nil)
        #expect(atr.emvNotes.contains(.specificModeOutsideEMV))
    }

    @Test func notesWhatEMVWouldObjectTo() throws {
        // TA1 96, TB1 05, TC1 07, TD1 F1; TA2 10, TB2 00, TC2 09, TD2 71; TA3 0F, TB3 52, TC3 01.
        let atr = try AnswerToReset(parsing: [0x3B] + checked(hex("F0 960507F1 10000971 0F5201")))
        #expect(
            atr.emvNotes == [
                .programmingVoltage, .specificModeOutsideEMV, .secondProgrammingVoltage, .workWaitingIntegerOutsideEMV,
                .informationFieldSizeOutsideEMV, .waitingIntegersOutsideEMV, .errorDetectionOutsideEMV,
            ])
    }

    @Test func notesANegotiableSpeedOutsideEMV() throws {
        #expect(try AnswerToReset(parsing: hex("3B1096")).emvNotes == [.speedOutsideEMV])
        #expect(try AnswerToReset(parsing: hex("3B1013")).emvNotes == [])
    }

    /// 2^CWI must exceed N + 1.
    @Test func aGuardTimeCanBeTooLongForTheWaitingTime() throws {
        let tooLong = try AnswerToReset(parsing: [0x3B] + checked(hex("C0 03 81 21 02")))
        #expect(tooLong.emvNotes == [.waitingIntegersOutsideEMV])
        let fits = try AnswerToReset(parsing: [0x3B] + checked(hex("C0 02 81 21 02")))
        #expect(fits.emvNotes == [])
    }

    @Test func computesWaitingTimesInNanoseconds() throws {
        let characters = try AnswerToReset(parsing: hex("3B00"))
        // 10 x 960 x 372 cycles at 3,571,200 Hz are one second.
        #expect(characters.workWaitingTimeNanoseconds(clockHertz: 3_571_200) == 1_000_000_000)
        let blocks = try AnswerToReset(parsing: Self.blockCard)
        // 11 x 372 + 16 x 960 x 372 cycles.
        #expect(blocks.blockWaitingTimeNanoseconds(clockHertz: 5_718_012) == 1_000_000_000)
        #expect(blocks.blockWaitingTimeNanoseconds(clockHertz: 0) == 5_718_012 * 1_000_000_000)
        #expect(blocks.blockWaitingTimeNanoseconds(clockHertz: 4_000_000_000) == 1_429_503)
    }

    @Test(
        arguments: [
            ("", ATRError(.empty, at: 0)),
            ("3C00", ATRError(.badInitialCharacter, at: 0)),
            ("00", ATRError(.badInitialCharacter, at: 0)),
            ("3B", ATRError(.truncated, at: 1)),
            ("3B0000", ATRError(.trailingBytes, at: 2)),
            ("3B6500002063CB680090", ATRError(.trailingBytes, at: 9)),
            ("3B8001", ATRError(.truncated, at: 3)),
            ("3B800180", ATRError(.badCheckCharacter, at: 3)),
            ("3B800E", ATRError(.truncated, at: 3)),
            ("3B80801FC3", ATRError(.truncated, at: 5)),
            ("3B80018100", ATRError(.trailingBytes, at: 4)),
        ])
    func refusesBadAnswers(text: String, error: ATRError) {
        #expect(throws: error) { try AnswerToReset(parsing: hex(text)) }
    }

    @Test func refusesThirtyFourBytes() {
        let longest = [0x3B] + [0xFF] + [UInt8](repeating: 0, count: 32)
        #expect(throws: ATRError(.tooLong, at: 33)) { try AnswerToReset(parsing: longest) }
    }

    @Test(arguments: [hex("3B6500002063CB6800"), blockCard, hex("3BFA1800008131FE454A434F503431563232319D")])
    func refusesEveryTruncation(whole: [UInt8]) {
        for length in 1..<whole.count {
            #expect(throws: ATRError(.truncated, at: length)) {
                try AnswerToReset(parsing: Array(whole[..<length]))
            }
        }
    }

    @Test func refusesEveryDamagedByteUnderACheckCharacter() {
        for index in 1..<Self.blockCard.count {
            var damaged = Self.blockCard
            damaged[index] ^= 0x01
            #expect(throws: ATRError.self) { try AnswerToReset(parsing: damaged) }
        }
    }

    @Test func randomBytesNeverTrap() {
        var parsed = 0
        for seed in 0..<10_000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var bytes = generator.bytes(upTo: 40)
            if seed & 1 == 0, !bytes.isEmpty { bytes[0] = 0x3B }
            guard let atr = try? AnswerToReset(parsing: bytes) else { continue }
            parsed += 1
            #expect(atr.bytes == bytes)
            #expect((1...254).contains(atr.informationFieldSizeCard))
            #expect(atr.blockWaitingTimeNanoseconds(clockHertz: 1) > 0)
            #expect(atr.workWaitingTimeNanoseconds(clockHertz: 1) > 0)
            _ = atr.emvNotes
        }
        #expect(parsed > 0)
    }

    @Test(
        arguments: [
            (UInt8(0x11), 372, 1, 372, 5_000_000), (0x13, 372, 4, 93, 5_000_000), (0x96, 512, 32, 16, 5_000_000),
            (0x18, 372, 12, 31, 5_000_000), (0x95, 512, 16, 32, 5_000_000), (0xD9, 2048, 20, 103, 20_000_000),
        ])
    func speedTables(ta1: UInt8, conversion: Int, adjustment: Int, cycles: Int, hertz: Int) {
        let speed = TransmissionSpeed(ta1: ta1)
        #expect(speed.clockRateConversion == conversion)
        #expect(speed.baudRateAdjustment == adjustment)
        #expect(speed.cyclesPerUnit == cycles)
        #expect(speed.maximumClockHertz == hertz)
    }

    @Test(arguments: [UInt8(0x70), 0x81, 0xE1, 0xF1, 0x10, 0x1A, 0x1F])
    func reservedSpeedCodesHaveNoUnit(ta1: UInt8) {
        #expect(TransmissionSpeed(ta1: ta1).cyclesPerUnit == nil)
    }
}
