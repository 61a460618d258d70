import Decoder
import Testing

/// The contact exchange of binaryfoo/emv-bertlv's cases: an M/Chip card with Mastercard's published test PAN.
@Suite("Logs of commands and responses")
struct ExchangeDocumentTests {
    static let lines = [
        ("00A4040007A000000004101000", "6F1C8407A0000000041010A511500F505043204D434420303420207632309000"),
        ("80A8000002830000", "771682025900941010020201180101002001010028010200 9000"),
        (
            "00B2021400",
            "70818F5A0854133300896000445F24031412315F25030401015F280200565F3401018C219F02069F03069F090295055F2A029A039C01"
                + "9F37049F35019F45029F4C089F34038D0C910A8A0295059F37049F4C088E0C00000000000000005E031F039F0702FF009F080200"
                + "029F0D0500000000009F0E0500000000009F0F0500000000009F420209789F4A0182DF4F031234569000"
        ),
        (
            "80AE80002B000000001000000000000000000280000080000036120316008221F60122000000000000000000005E030000",
            "77299F2701809F360200419F26084573436B1E4B95DD9F10120110A00009248400000000000000000029FF9000"
        ),
        (
            "80AE40001D11223344556677880000303080000080008221F601000000000000000000",
            "77299F2701009F360200419F2608C74D18B08248FEFC9F10120110201009248400000000000000000029FF9000"
        ),
    ]

    static let styles: [(String, @Sendable (String, String) -> String)] = [
        ("one line", { "\($0) < \($1)\n" }), ("labels", { "C-APDU: \($0)\nR-APDU: \($1)\n" }),
        ("arrows", { "> \($0)\n< \($1)\n" }), ("plain", { "\($0)\n\($1)\n" }),
        ("pcscd", { "00000123 APDU: \($0)\n00000456 SW: \($1)\n" }),
    ]

    @Test("are read in every style, and tell the lists that the commands were built from", arguments: 0..<5)
    func styles(_ number: Int) {
        let input = Self.lines.map(Self.styles[number].1).joined()
        let document = document(Array(input.utf8), asJSON: true)
        #expect(document.codes.isEmpty, "\(Self.styles[number].0)")
        #expect(document.text.hasPrefix(#"{"exchanges":[{"command":{"offset":"#))
        #expect(
            document.text.contains(
                #""dol":[{"tag":"9F02","name":"Amount, Authorised (Numeric)","value":"000000001000"}"#))
        #expect(
            document.text.contains(#"{"tag":"91","name":"Issuer Authentication Data","value":"11223344556677880000"}"#))
        #expect(document.text.contains(#""name":"GENERATE AC""#))
        #expect(document.text.contains(#""arqc":"4573436B1E4B95DD""#))
        #expect(!document.text.contains("5413330089600044"))
    }

    @Test("are written for people")
    func text() {
        let input = Self.lines.prefix(1).map { "\($0.0) < \($0.1)\n" }.joined()
        #expect(
            document(Array(input.utf8)).text == """
                SELECT: 00A40400 A0000000041010
                  < 9000 success
                    6F File Control Information (FCI) Template (28 bytes)
                      84 Dedicated File (DF) Name: A0000000041010 = Mastercard credit or debit
                      A5 File Control Information (FCI) Proprietary Template (17 bytes)
                        50 Application Label: 505043204D43442030342020763230 = PPC MCD 04  v20

                Summary
                  aid: A0000000041010
                  applabel: PPC MCD 04  v20
                  cardtype: MASTERCARD

                """)
    }

    @Test("PIN blocks are never shown")
    func pin() {
        let document = document(Array("0020008008241234FFFFFFFFFF < 9000\n".utf8), asJSON: true)
        #expect(!document.text.contains("241234"))
    }

    @Test(
        "tell what is wrong",
        arguments: [
            ("00B201140000 < 6F00", "commandLength"), ("> 00B2011400", "responseMissing"),
            ("> 00B2011400\n< 0000", "statusInvalid"), ("< 9000", "commandMissing"),
        ])
    func faults(_ input: String, _ code: String) {
        #expect(document(Array(input.utf8), isText: true, format: .apdu).codes.contains(code))
    }

    @Test("take the card's bytes out of libccid's messages")
    func libccid() {
        let log = """
            00000012 commands.c:1444:CCID_Transmit() -> 000000 6F 14 00 00 00 00 01 00 00 00 00 A4 04 00 0E 31 50 41 59 \
            2E 53 59 53 2E 44 44 46 30 31 00
            00000034 commands.c:1444:CCID_Receive() <- 000000 80 02 00 00 00 00 01 00 00 00 6A 82
            """
        let document = document(Array(log.utf8))
        #expect(document.codes.isEmpty)
        #expect(document.text.hasPrefix("SELECT: 00A40400"))
        #expect(document.text.contains("6A82 file or application not found"))
    }
}

/// Vectors computed from USB CCID 1.1.
@Suite("Frames of CCID readers")
struct FrameDocumentTests {
    @Test("are found, named and taken apart")
    func frames() {
        let document = jsonDocument(
            "62000000000000000000 5003 6F140000000001000000 00A404000E315041592E5359532E444446303100"
                + "80020000000001000000 9000 81000000000000020000 80000000000000 41FE00 80000000000001800100")
        #expect(document.codes.isEmpty)
        #expect(
            document.text.hasPrefix(
                #"{"frames":[{"offset":0,"length":10,"protocol":"ccid","direction":"command","#
                    + #""name":"PC_to_RDR_IccPowerOn","fields":{"slot":0,"sequence":0,"power":"automatic"},"data":"","#
                    + #""check":"ok","objects":[]},"#))
        for part in [
            #""direction":"event","name":"RDR_to_PC_NotifySlotChange""#, #""apdu":"SELECT""#, #""statusWord":"9000""#,
            #""card":"no card is present""#, #""error":"ICC_MUTE""#, #""timeMultiplier":1"#,
        ] { #expect(document.text.contains(part), "\(part)") }
    }

    @Test("noise between them and cut frames are problems")
    func noise() {
        let document = jsonDocument(
            "AABBCC 62000000000000000000 0102 80040000000000000000 6F00", format: .ccid)
        #expect(document.codes == ["noise", "noise", "frameBad"])
        #expect(document.text.contains(#""check":"bad""#))
    }

    @Test("hold data objects")
    func objects() {
        let document = jsonDocument(
            "6F050000000002000000 00B2010C00 800C0000000002000000 70085A064761739001019000", format: .ccid)
        #expect(document.text.contains(#""tag":"70""#))
        #expect(document.text.contains(#""data":null"#))
    }
}
