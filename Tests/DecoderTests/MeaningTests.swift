import BERTLV
import Decoder
import EMV
import Testing

@Suite("The decoder")
struct MeaningTests {
    @Test(
        "says in one line what an object means",
        arguments: [
            ("9F270180", 0x9F27, "ARQC (go online)"), ("9F270140", 0x9F27, "TC (approved)"),
            ("9F270100", 0x9F27, "AAC (declined)"),
            ("9F350124", 0x9F35, "merchant, unattended, online only"),
            ("9F350122", 0x9F35, "merchant, attended, offline with online capability"),
            ("9F350177", 0x9F35, "unknown code"),
            ("9C0100", 0x9C, "goods or services"), ("9C0120", 0x9C, "refund"), ("9F390105", 0x9F39, "chip"),
            ("9A03251130", 0x9A, "2025-11-30"), ("9A03250230", 0x9A, "not a date"), ("9A03991231", 0x9A, "1999-12-31"),
            ("9F2103235959", 0x9F21, "23:59:59"), ("9F2103240000", 0x9F21, "not a time"),
            ("9F0206000000010000 5F2A020484", 0x9F02, "100.00 MXN"),
            ("9F0206000000010000 5F2A020392", 0x9F02, "10000 JPY"),
            ("9F0206000000000005", 0x9F02, "5 minor units"),
            ("81040000C350 5F2A020840", 0x81, "500.00 USD"),
            ("9F02060000000A0000", 0x9F02, "not decimal digits"),
            ("5F2A020484", 0x5F2A, "MXN (484)"), ("5F2A020998", 0x5F2A, "998"), ("5F2A020392", 0x5F2A, "JPY (392)"),
            ("9F1A020484", 0x9F1A, "Mexico (484)"),
            ("8A023030", 0x8A, "00: approved"), ("8A025A33", 0x8A, "Z3: unable to go online, offline declined"),
            ("870181", 0x87, "priority 1 (highest)"),
            ("9F3403420300", 0x9F34, "enciphered PIN verified online: result unknown"),
            ("9F34031F0302", 0x9F34, "no CVM required: successful"),
            ("9F34033F0001", 0x9F34, "no CVM performed: failed"),
            ("8407A0000000031010", 0x84, "Visa credit or debit"), ("4F07A0000000043060", 0x4F, "Maestro"),
            ("840E315041592E5359532E4444463031", 0x84, "1PAY.SYS.DDF01"),
            ("9F36020041", 0x9F36, "65"), ("9B020000", 0x9B, "no bits set"),
            ("5004564953 41", 0x50, "VISA"),
        ] as [(String, BERTLV.Tag, String)])
    func texts(_ input: String, _ tag: BERTLV.Tag, _ text: String) {
        #expect(find(tag, in: decode(input).objects)?.text == text)
    }

    @Test(
        "lists the bits that are set",
        arguments: [
            (
                "95058000048000",
                [
                    "b1.80 Offline data authentication was not performed", "b3.04 Online PIN (CVM) entered",
                    "b4.80 Transaction exceeds floor limit",
                ]
            ),
            (
                "95050420000050",
                [
                    "b1.04 CDA failed", "b2.20 Application not yet effective", "b5.40 Issuer authentication failed",
                    "b5.10 Script processing failed after final GENERATE AC",
                ]
            ),
            ("95050000000006", ["b5.04 CA ECC key missing (EMV 4.4)", "b5.02 ECC key recovery failed (EMV 4.4)"]),
            (
                "9B02E801",
                [
                    "b1.80 Offline data authentication was performed", "b1.40 Cardholder verification was performed",
                    "b1.20 Card risk management was performed", "b1.08 Terminal risk management was performed",
                    "b2.01 reserved for future use",
                ]
            ),
            (
                "82025900",
                [
                    "b1.40 SDA supported", "b1.10 Cardholder verification is supported",
                    "b1.08 Terminal risk management is to be performed", "b1.01 CDA supported",
                ]
            ),
            (
                "9F070208C0",
                [
                    "b1.08 Valid for domestic services", "b2.80 Domestic cashback allowed",
                    "b2.40 International cashback allowed",
                ]
            ),
            (
                "9F33032008C8",
                ["b1.20 IC with contacts", "b2.08 No CVM required", "b3.80 SDA", "b3.40 DDA", "b3.08 CDA"]
            ),
            (
                "9F40056000800281",
                [
                    "b1.40 Goods", "b1.20 Services", "b3.80 Numeric keys", "b4.02 Code table 10", "b5.80 Code table 8",
                    "b5.01 Code table 1",
                ]
            ),
            ("9F27018B", ["advice required", "reason: issuer authentication failed"]),
        ])
    func bits(_ input: String, _ details: [String]) {
        #expect(decode(input).objects.first?.details == details)
    }

    @Test("writes out the CVM list")
    func methodList() {
        let list = find(0x8E, in: decode("8E1000000064000003E841 0342031E031F02 9F42020840").objects)
        #expect(
            list?.details == [
                "X = 1.00 USD", "Y = 10.00 USD",
                "4103 plaintext PIN verified by ICC; if the terminal supports the CVM; else the next rule",
                "4203 enciphered PIN verified online; if the terminal supports the CVM; else the next rule",
                "1E03 signature; if the terminal supports the CVM; else fail",
                "1F02 no CVM required; if not unattended cash, not manual cash, not purchase with cashback; else fail",
            ])
    }

    @Test("writes out object lists, tag lists and the AFL")
    func lists() {
        #expect(
            decode("9F38039F6604").objects.first?.details == ["9F66 Terminal Transaction Qualifiers (TTQ), 4 bytes"])
        #expect(decode("9F4A0182").objects.first?.details == ["82 Application Interchange Profile (AIP)"])
        #expect(
            decode("5C035F20500000").objects.first?.details == ["5F20 Cardholder Name", "50 Application Label"])
        #expect(
            decode("940810020201 18010100").objects.first?.details == [
                "SFI 2, records 2 to 2, the first 1 for offline data authentication",
                "SFI 3, records 1 to 1, none for offline data authentication",
            ])
    }

    @Test("reads text by the card's code table and never drops bytes")
    func cardText() {
        let preferred = decode("9F110105 9F1207D0DEE1E1D8EF20")
        #expect(find(0x9F12, in: preferred.objects)?.text == "аоссия")
        #expect(preferred.summary.applabel == "аоссия")
        let label = decode("5007D0DEE1E1D8EF20")
        #expect(label.objects.first?.text == "D0DEE1E1D8EF20 (bytes outside ASCII)")
        #expect(label.summary.applabel == nil)
        #expect(
            find(0x50, in: decode("9F110105 5007D0DEE1E1D8EF20").objects)?.details == ["read as ISO 8859-5: аоссия"])
    }

    @Test(
        "tells a wrong length and what would be right",
        arguments: [
            ("95020000", "wrong length 2, needs 5"), ("9500", "wrong length 0, needs 5"),
            ("9406100202011801", "wrong length 6, needs 4 to 252 in steps of 4"),
        ])
    func wrongLength(_ input: String, _ message: String) {
        let report = decode(input)
        #expect(report.objects.first?.details == [message])
        #expect(report.problems.map(\.code) == [.wrongLength])
    }

    @Test("reports a damaged object list as a problem")
    func damagedList() {
        #expect(decode("8C059F02069F03").problems.map(\.code) == [.dolMalformed])
    }

    @Test("keeps notes with the object, not among the problems")
    func notes() {
        let report = decode("5A 8108 4761739001010119")
        #expect(report.problems.isEmpty)
        #expect(report.objects.first?.details == ["note: the length is not in its shortest form"])
    }
}
