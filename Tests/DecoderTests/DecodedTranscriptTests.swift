import BERTLV
import Decoder
import EMV
import SeededInput
import Testing

@Suite("Decoding real exchanges")
struct DecodedTranscriptTests {
    /// A terminal's record of an online purchase, with a published test PAN.
    static let purchase =
        "4F07A0000000031010 5A084761739001010119 57134761739001010119D22122011234512345678F 5F2403301231 5F340101"
        + "5F201A4A4F484E20444F45202020202020202020202020202020202020 82025C00 95050000048000 9A03251130 9C0100"
        + "9F0206000000010000 9F0306000000000000 9F1A020484 5F2A020484 9F260828C1B1AE0414D78B 9F270180 9F36020002"
        + "9F100706010A03A0A000 9F3704ABCDEF10 9F3303E0B8C8 9F3403420300 9F350122 8407A0000000031010 5004564953 41"

    @Test("gives the facts of the payment response")
    func summary() {
        let report = decode(Self.purchase)
        #expect(report.problems.isEmpty)
        #expect(report.summary.arqc == "28C1B1AE0414D78B")
        #expect(report.summary.aid == "A0000000031010")
        #expect(report.summary.applabel == "VISA")
        #expect(report.summary.creditcard == "0119")
        #expect(report.summary.cardtype == "VISA")
    }

    @Test("gives no ARQC when the card made another cryptogram", arguments: ["9F270140", "9F270100", "9F2701C0", ""])
    func noARQC(_ information: String) {
        #expect(decode(information + "9F260828C1B1AE0414D78B").summary.arqc == nil)
    }

    @Test("takes the card's last four digits from track 2 when there is no 5A")
    func lastFour() {
        #expect(decode("57055413330089").summary.creditcard == nil)
        #expect(decode("57115413330089600044D14122010123409172").summary.creditcard == "0044")
        #expect(decode("5A0A6799998900000060018F").summary.creditcard == "0018")
    }

    /// Responses of the cards of binaryfoo/emv-bertlv, with their status words.
    static let responses = [
        "6F1C8407A0000000041010A511500F505043204D434420303420207632309000",
        "7716 82025900 9410 10020201 18010100 20010100 28010200 9000",
        "70818F5A0854133300896000445F24031412315F25030401015F280200565F3401018C219F02069F03069F1A0295055F2A029A039C01"
            + "9F37049F35019F45029F4C089F34038D0C910A8A0295059F37049F4C088E0C00000000000000005E031F039F0702FF009F080200"
            + "029F0D0500000000009F0E0500000000009F0F0500000000009F420209789F4A0182DF4F031234569000",
        "703E8F01EF9F47030100019F32030100019F482A8F9498797B9DE111BF5EB97EF1820BA654E4867F09D6BB41BCB1E4FB3E9D287ABD67"
            + "031918134731270792009000",
        "77299F2701809F360200419F26084573436B1E4B95DD9F10120110A00009248400000000000000000029FF9000",
        "77299F2701009F360200419F2608C74D18B08248FEFC9F10120110201009248400000000000000000029FF9000",
        "6F168407A0000000031010A50B50095649534120544553549000",
        "800E1C000801010010010100180304009000",
        "703857104761340000000050D1712201125234515F20104341524420352F5649534120544553549F1F1031323532333030343531303030"
            + "3030309000",
        "70625A0847613400000000508C159F02069F03069F1A0295055F2A029A039C019F37048D178A029F02069F03069F1A0295055F2A029A"
            + "039C019F37045F24031712319F0702FF809F0802008C9F0D0500000000009F0E0500000000009F0F0500000000009000",
        "70128E100000000000000000410342031E031F029000", "70055F280207029000", "9F1701109000",
        "80228000297CB3BA090724C52406010A03A4B8000F112233445566778899AABBCCDDEEFF9000",
        "8012400029BB31D191BCED0CF206010A0364BC009000",
    ]

    @Test("finds nothing wrong with good responses", arguments: responses.indices)
    func clean(_ index: Int) {
        let response = Self.responses[index]
        let report = decode(response)
        #expect(report.problems.isEmpty)
        #expect(report.trailingStatus == 0x9000)
        let text = allText(report)
        #expect(!text.contains("5413330089600044"))
        #expect(!text.contains("4761340000000050"))
    }

    @Test("splits format 1 responses by their shape")
    func format1() {
        let options = decode("800E1C000801010010010100180304009000").objects.first
        #expect(options?.text == "AIP and AFL")
        #expect(options?.details.last == "SFI 3, records 3 to 4, none for offline data authentication")
        let answer = decode("80228000297CB3BA090724C52406010A03A4B8000F112233445566778899AABBCCDDEEFF")
        #expect(answer.objects.first?.details.first == "CID 80 ARQC (go online)")
        #expect(answer.summary.arqc == "7CB3BA090724C524")
        #expect(decode("8012400029BB31D191BCED0CF206010A0364BC00").summary.arqc == nil)
    }

    @Test("keeps all of two objects with one tag, in order")
    func duplicates() {
        #expect(decode("9A03251130 9A03251129").objects.map(\.text) == ["2025-11-30", "2025-11-29"])
    }

    @Test("reads what can be read and gives offset, path and code of the rest")
    func partial() {
        let report = decode("70 0B 5F340101 9F360200419F26 9C0100")
        #expect(report.problems.map(\.code) == [.lengthMissing])
        #expect(report.problems.map(\.path) == [[0x70, 0x9F26]])
        #expect(report.problems.map(\.offset) == [13])
        #expect(find(0x9F36, in: report.objects)?.value == [0x00, 0x41])
        #expect(find(0x9C, in: report.objects) != nil)
        #expect(report.objects.first?.details == ["2 bytes are not TLV: 9F26"])
    }

    @Test("survives random bytes")
    func random() {
        var numbers = SeededNumbers(seed: 24)
        for _ in 0..<10_000 {
            let input = (0..<Int.random(in: 0...64, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            let report = DecodeReport(tlv: input, options: DecodeOptions(padding: .any))
            #expect(report.problems.allSatisfy { (0...input.count).contains($0.offset) })
            #expect(report.objects.reduce(0) { $0 + $1.length } <= input.count)
        }
    }

    @Test("survives 20,000 nested templates")
    func nested() {
        #expect(!DecodeReport(tlv: Array(repeating: 0x70, count: 20_000)).problems.isEmpty)
    }
}
