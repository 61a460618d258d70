import Testing

@testable import FirmwareCores

/// Vectors: pyemv, equal to jPOS JCESecurityModuleTest where that has them; DES from FIPS 81 and NBS SP 500-20.
struct CardCryptographyTests {
    @Test(arguments: [
        ("0123456789ABCDEF", "4E6F772069732074", "3FA40E8A984D4815"),
        ("0101010101010101", "8000000000000000", "95F8A5E5DD31D900"),
        ("8001010101010101", "0000000000000000", "95A8D72813DAA94D"),
        ("7CA110454A1A6E57", "01A1D6D039776742", "690F5B0D9A26939B"),
    ])
    func desAgreesWithPublishedVectors(key: String, plain: String, cipher: String) {
        let des = DESBlock(key: hex(key))
        #expect(text(DESBlock.bytes(des.encrypt(DESBlock.word(hex(plain))))) == cipher)
        #expect(text(DESBlock.bytes(des.decrypt(DESBlock.word(hex(cipher))))) == plain)
    }

    /// FIPS 197, Appendices B and C.1.
    @Test(arguments: [
        ("2B7E151628AED2A6ABF7158809CF4F3C", "3243F6A8885A308D313198A2E0370734", "3925841D02DC09FBDC118597196A0B32"),
        ("000102030405060708090A0B0C0D0E0F", "00112233445566778899AABBCCDDEEFF", "69C4E0D86A7B0430D8CDB78070B4C55A"),
    ])
    func aesAgreesWithTheStandard(key: String, plain: String, cipher: String) {
        #expect(text(AESBlock(key: hex(key)).encrypt(hex(plain))) == cipher)
    }

    /// RFC 4493, 4.
    @Test(arguments: [
        (0, "BB1D6929E95937287FA37D129B756746"), (16, "070A16B46B4D4144F79BDD9DD04A287C"),
        (40, "DFA66747DE9AE63030CA32611497C827"), (64, "51F0BEBF7E3B9D92FC49741779363CFE"),
    ])
    func cmacAgreesWithTheStandard(count: Int, code: String) {
        let message = hex(
            "6BC1BEE22E409F96E93D7E117393172AAE2D8A571E03AC9C9EB76FAC45AF8E51"
                + "30C81C46A35CE411E5FBC1191A0A52EFF69F2445DF4F9B17AD2B417BE66C3710")
        let aes = AESBlock(key: hex("2B7E151628AED2A6ABF7158809CF4F3C"))
        #expect(text(aes.cmac(Array(message.prefix(count)))) == code)
    }

    /// Computed with Tests/Judges/aes.py.
    @Test func aesKeysComeFromTheIssuerKeyAndTheDiversifier() throws {
        let issuer = try #require(CardKey(hex("0123456789ABCDEFFEDCBA9876543210"), cipher: .aes))
        let key = issuer.cardKey(pan: "4761739001010119", sequenceNumber: 1)
        #expect(text(key.bytes) == "D42CC0675B078674839EF90EAA7809EA")
        #expect(text(key.sessionKey(diversifier: hex("0001")).bytes) == "8AF288D5CB8E9E4E93E72BED73ACC8EC")
        #expect(text(key.sessionKey(diversifier: hex("F149AF6E040F7551")).bytes) == "DF6017B83034E1484E759DBFE244F76F")
    }

    static let cardKeys: [(issuer: String, pan: String, sequence: UInt8, expected: String)] = [
        ("12345678123456781234567812345678", "1234567890123456", 0, "DCE992BCE398C264F7858AFD4C4A324A"),
        ("0123456789ABCDEFFEDCBA9876543210", "9901234567890123", 45, "F84315C7B95BD3B0C74694922C3808B0"),
        ("0123456789ABCDEFFEDCBA9876543210", "12345678901234567", 45, "946DC1A8C78A624519BC4645CB073737"),
        ("0123456789ABCDEFFEDCBA9876543210", "4761739001010119", 1, "80A89B585BBF64C2F12915BF578FABE0"),
    ]

    // By index: the runner prints arguments, and no output may hold a card number.
    @Test(arguments: cardKeys.indices)
    func cardKeyComesFromTheIssuerKey(index: Int) throws {
        let (issuer, pan, sequence, expected) = Self.cardKeys[index]
        let key = try #require(CardKey(hex(issuer))).cardKey(pan: pan, sequenceNumber: sequence)
        #expect(text(key.bytes) == expected)
    }

    @Test(arguments: [
        ("3456000000000000", "F2A75194C2B954A4163E9886BCA45473"),
        ("3456000011111111", "68E9A15BBCF283EF0164F7E6C44C4325"),
    ])
    func sessionKeyComesFromTheDiversifier(diversifier: String, expected: String) throws {
        let key = try #require(CardKey(hex("DCE992BCE398C264F7858AFD4C4A324A")))
        #expect(text(key.sessionKey(diversifier: hex(diversifier)).bytes) == expected)
    }

    @Test(arguments: [
        ("DCE992BCE398C264F7858AFD4C4A324A", CardPadding.method1, "26C8A1042D1CAF3E"),
        ("DCE992BCE398C264F7858AFD4C4A324A", CardPadding.method2, "2263CD868F3E0234"),
        ("F2A75194C2B954A4163E9886BCA45473", CardPadding.method1, "36DBEE15F36B1E7F"),
        ("F2A75194C2B954A4163E9886BCA45473", CardPadding.method2, "55BE45DD2C9E0CBF"),
        ("68E9A15BBCF283EF0164F7E6C44C4325", CardPadding.method2, "AC8074C9E62EE6EF"),
    ])
    func macOfTheFirstVector(key: String, padding: CardPadding, expected: String) throws {
        let message = hex(
            "000000010000000000001000084000000010800840980704001111111158003456A08003242000")
        let mac = try #require(CardKey(hex(key))).mac(message, padding: padding)
        #expect(text(DESBlock.bytes(mac)) == expected)
    }

    private func terminal(amount: String, country: String, tvr: String, date: String, number: String)
        -> [String: [UInt8]]
    {
        [
            "9F02": hex(amount), "9F03": hex("000000000000"), "9F1A": hex(country), "95": hex(tvr),
            "5F2A": hex(country), "9A": hex(date), "9C": hex("01"), "9F37": hex(number),
        ]
    }

    private func chip(_ kind: CardCryptography.Kind, key: String, messaging: String? = nil) throws -> CardCryptography {
        CardCryptography(
            kind: kind, cryptogramKey: try #require(CardKey(hex(key))),
            messagingKey: try #require(CardKey(hex(messaging ?? key))))
    }

    @Test func visaVersion10CryptogramAnswerAndScript() throws {
        let chip = try chip(
            .visa10, key: "154F349D8585CB7F6B0798E9839B10C1", messaging: "94F867167C64EF3EEAB0CB627A7A3480")
        let cryptogram = chip.cryptogram(
            terminal: terminal(
                amount: "000000004000", country: "0124", tvr: "8000048000", date: "191105", number: "52BF4585"),
            interchangeProfile: hex("1800"), counter: 0x001C, applicationData: hex("06010A03A06010"))
        #expect(text(DESBlock.bytes(cryptogram)) == "29CCA15AE665FA2E")
        #expect(chip.accepts(hex("28993816AFAE4AEB3030"), cryptogram: cryptogram, counter: 0x001C))
        #expect(!chip.accepts(hex("28993816AFAE4AEB3035"), cryptogram: cryptogram, counter: 0x001C))
        #expect(!chip.accepts(hex("28993816AFAE4AEB"), cryptogram: cryptogram, counter: 0x001C))
        let header = hex("8418000008")
        let mac = hex("DB56BA60087CEFD3")
        #expect(chip.accepts(scriptHeader: header, data: mac, cryptogram: cryptogram, counter: 0x001C))
        #expect(!chip.accepts(scriptHeader: header, data: mac, cryptogram: cryptogram, counter: 0x001D))
    }

    @Test(arguments: [
        (CardCryptography.Kind.visa10, 2, "06010A03000000", "C28B1AE0414D78B3"),
        (CardCryptography.Kind.visa18, 1, "06011203000000", "F149AF6E040F7551"),
    ])
    func visaCryptogramOfTheSecondVector(
        kind: CardCryptography.Kind, counter: UInt16, data: String, expected: String
    ) throws {
        let cryptogram = try chip(kind, key: "80A89B585BBF64C2F12915BF578FABE0").cryptogram(
            terminal: terminal(
                amount: "000000000100", country: "0840", tvr: "0000000000", date: "181231", number: "ABCDEF10"),
            interchangeProfile: hex("1800"), counter: counter, applicationData: hex(data))
        #expect(text(DESBlock.bytes(cryptogram)) == expected)
    }

    @Test func visaVersion18TakesTheAnswerWithCardStatusUpdate() throws {
        let chip = try chip(.visa18, key: "80A89B585BBF64C2F12915BF578FABE0")
        let cryptogram = DESBlock.word(hex("F149AF6E040F7551"))
        #expect(chip.accepts(hex("25CBAC0D00820000"), cryptogram: cryptogram, counter: 1))
        #expect(!chip.accepts(hex("25CBAC0D00020000"), cryptogram: cryptogram, counter: 1))
    }

    @Test func mchipVersion16CryptogramAndAnswer() throws {
        let chip = try chip(.mchip16, key: "DCE992BCE398C264F7858AFD4C4A324A")
        let terminal = [
            "9F02": hex("000000010000"), "9F03": hex("000000001000"), "9F1A": hex("0840"), "95": hex("0000001080"),
            "5F2A": hex("0840"), "9A": hex("980704"), "9C": hex("00"), "9F37": hex("11111111"),
        ]
        let cryptogram = chip.cryptogram(
            terminal: terminal, interchangeProfile: hex("5800"), counter: 0x3456,
            applicationData: hex("0110A08003242000") + [UInt8](repeating: 0, count: 10))
        #expect(text(DESBlock.bytes(cryptogram)) == "AC8074C9E62EE6EF")
        #expect(chip.accepts(hex("5B5B712F9A6447740012"), cryptogram: cryptogram, counter: 0x3456))
    }
}
