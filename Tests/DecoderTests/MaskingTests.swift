import BERTLV
import Decoder
import EMV
import SeededInput
import Testing

@Suite("Masking")
struct MaskingTests {
    // Card numbers are arguments by their index only: what a test prints must not hold one, and the runner prints arguments.
    static let masked = [
        ("5A084761739001010119", "************0119"), ("5A0A6799998900000060018F", "***************0018"),
        ("57134761739001010119D22122011234512345678F", "************0119"),
        ("DFAE57134761739001010119D22122011234512345678F", "************0119"),
        ("5F20084A4F484E20444F45", "****"), ("5F2403301231", "****-**-**"), ("99041234FFFF", "(masked, 4 bytes)"),
        ("5A0247AB", "(masked, 2 bytes)"), ("9F1F0431323334", "(masked, 4 bytes)"),
    ]

    @Test("shows the masked form and no value", arguments: masked.indices)
    func masks(_ index: Int) {
        let (input, text) = Self.masked[index]
        let object = decode(input).objects.first
        #expect(object?.value == nil)
        #expect(object?.text == text)
    }

    static let revealed = [
        ("5A084761739001010119", "4761739001010119"),
        ("57134761739001010119D22122011234512345678F", "4761739001010119, expires 2022-12, service code 201"),
        ("5F20084A4F484E20444F45", "JOHN DOE"), ("5F2403301231", "2030-12-31"),
    ]

    @Test("is lifted when a person asks", arguments: revealed.indices)
    func reveals(_ index: Int) {
        let (input, text) = Self.revealed[index]
        let object = decode(input, reveal: true).objects.first
        #expect(object?.value != nil)
        #expect(object?.text == text)
    }

    @Test("covers the templates around a masked object")
    func coversTemplates() {
        let report = decode("700A5A084761739001010119")
        #expect(report.objects.first?.value == nil)
        #expect(report.objects.first?.text == "holds masked data")
        #expect(decode("70035F3400").objects.first?.value != nil || !decode("70035F3400").problems.isEmpty)
        #expect(decode("70045F340101").objects.first?.value == bytes("5F340101"))
    }

    /// Card numbers in the names and labels of which the summary is made.
    static let names = [
        "501034313131313131313131313131313131", "50085555555555554444", "4F084111111111111111",
        "84084111111111111111", "610A4F084111111111111111", "9F06084111111111111111",
        "9F1110 34313131 2D 34313131 2D 34313131 2D 3431",
        "9F110101 9F1213 34313131 20 31313131 20 31313131 20 31313131",
        "6F1084084761739001010119A5045F2D02",
    ]

    /// Places where a card number can be without a tag that says so.
    static let hidingPlaces =
        names + [
            "DF01084761739001010119", "DF011034373631373339303031303130313139", "E0094761739001010119D2",
            "DF810113 4761739001010119D22122011234512345678F", "70 0B 5713 4761739001010119", "9F1608 4761739001010119",
            "8308 4761739001010119", "50084761739001010119", "82 0A 5A084761739001010119",
            "FF01 0A 5A094761739001010119",
            "4761739001010119", "DFEE25 12 0000 4111111111111111 D2512 0000 00", "DF02 0A 54133300896000 445F 00",
            "DF0208 5555555555554444", "91084761739001010119", "9F100A4761739001010119D221",
            // Tags and lengths that are part of the number.
            "FFFF4761739001010119", "700A DF0102 4761 739001010119", "70 09 DF01 09 4761 7390010101",
            // Objects that took in others, and values that are no random ones.
            "911AAABBCC5A0847617390010101195F2403301231AABBCCDDEE0102", "9F101034373631373339303031303130313139",
            "910A47617390010101190000", "9F1012 411111111111111111 D25122010000000000",
        ]

    /// Objects with random values that are not looked through for chance digits.
    static let randomObjects: [(tag: String, shortest: Int)] = [
        ("90", 36), ("92", 20), ("93", 36), ("9F2D", 36), ("9F2E", 3), ("9F2F", 20), ("9F46", 36), ("9F47", 3),
        ("9F48", 20), ("9F4B", 36), ("91", 8), ("9F10", 7),
    ]
    static let swallowed = [
        "5A084761739001010119", "5A0A6799998900000060018F", "57134761739001010119D22122011234512345678F",
        "DFAE5708 4111111111111111", "34373631373339303031303130313139", "34373631 20 37333930 20 30313031 20 30313139",
    ]

    @Test("random values show no card number that they took in", arguments: randomObjects.indices)
    func swallows(_ index: Int) {
        let (tag, shortest) = Self.randomObjects[index]
        for inner in Self.swallowed.map({ bytes($0) }) {
            for before in [1, 7, 40] {
                for after in [0, 5, 60] where before + inner.count + after >= shortest {
                    let value =
                        [0xAB] + [UInt8](repeating: 0xC7, count: before - 1) + inner
                        + [UInt8](repeating: 0xEB, count: after)
                    let input = bytes(tag) + (value.count < 0x80 ? [] : [0x81]) + [UInt8(value.count)] + value
                    let object = DecodeReport(tlv: input).objects.first
                    #expect(object?.value == nil)
                }
            }
        }
    }

    @Test("random values stay in sight, whatever digits they hold by chance")
    func random() {
        // Sixteen digits with a right check digit, and no sign of an object around them.
        let number = bytes("4761739001010119")
        for tag in ["90", "9F46", "9F4B"] {
            let value = [UInt8](repeating: 0xC7, count: 30) + number + [UInt8](repeating: 0xEB, count: 30)
            #expect(DecodeReport(tlv: bytes(tag) + [UInt8(value.count)] + value).objects.first?.value == value)
        }
        #expect(decode("910A A1B2C3D4E5F60718 3030").objects.first?.value != nil)
        #expect(decode("9108 28C1B1AE0414D78B").objects.first?.value != nil)
    }

    @Test("what is hidden is left out of the summary; the cryptogram stays")
    func summary() {
        for input in Self.names {
            #expect(decode(input).summary.applabel == nil)
            #expect(decode(input).summary.aid == nil)
        }
        let shown = decode("8407A0000000041010 5004 56495341 9F2701 80 9F2608 28C1B1AE0414D78B").summary
        #expect(shown.applabel == "VISA")
        #expect(shown.aid == "A0000000041010")
        #expect(shown.arqc == "28C1B1AE0414D78B")
        #expect(decode("4F084111111111111111", reveal: true).summary.aid?.hasPrefix("4111") == true)
    }

    @Test("a template with sound objects is shown whole, whatever digits they make together")
    func soundTemplate() {
        let report = decode("7013 9A03251130 9C0100 95050000000000 5F3401 01")
        #expect(report.objects.first?.value != nil)
    }

    @Test("finds card numbers in vendor objects, damaged data and raw values", arguments: hidingPlaces.indices)
    func hides(_ index: Int) {
        expectNoPAN(allText(decode(Self.hidingPlaces[index])))
    }

    @Test(
        "does not mistake other data for card numbers",
        arguments: [
            "9F0206000000000100", "9F10120110A00009248400000000000000000029FF", "8407A0000000041010",
            "500F505043204D43442030342020763230", "9F260828C1B1AE0414D78B", "DF010400000000", "DF01080000000000000000",
        ])
    func leavesOthers(_ input: String) {
        #expect(!allText(decode(input)).contains("masked"))
    }

    @Test(
        "a blank name is no name",
        arguments: ["5F20022020", "5F2002202F", "5F201A" + String(repeating: "20", count: 26)])
    func blankName(_ input: String) {
        #expect(decode(input).objects.first?.text == "no name")
    }

    @Test("remarks on card numbers hold no digits")
    func remarks() {
        let report = decode("5A084761739001010118 57134761739001010119D22122011234512345678F")
        #expect(report.objects[0].details == ["note: the check digit is wrong"])
        #expect(report.objects[1].details == ["note: not the PAN of tag 5A"])
        #expect(decode("5A0447A17390").objects[0].details == ["not a valid PAN"])
    }

    @Test("holds for mutated records")
    func mutated() {
        let record = bytes(DecodedTranscriptTests.purchase)
        var numbers = SeededNumbers(seed: 0x5A)
        for _ in 0..<1000 {
            var changed = record
            for _ in 0..<Int.random(in: 1...6, using: &numbers) {
                let place = Int.random(in: 0..<changed.count, using: &numbers)
                changed[place] = UInt8.random(in: 0...255, using: &numbers)
            }
            for padding in TLVPadding.allCases {
                let report = DecodeReport(tlv: changed, options: DecodeOptions(padding: padding))
                expectNoPAN(allText(report))
            }
        }
    }

    private func expectNoPAN(_ text: String) {
        let packed = text.filter { $0 != " " && $0 != "-" }
        for number in DamagedRecordTests.numbers where packed.contains(number) {
            Issue.record("a card number is shown")
        }
    }
}
