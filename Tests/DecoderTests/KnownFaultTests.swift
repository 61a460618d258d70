import BERTLV
import Decoder
import Testing

/// Inputs that broke other decoders, from their public issue lists.
@Suite("Inputs that broke other decoders")
struct KnownFaultTests {
    private func tags(_ hex: String, _ padding: TLVPadding = .zero) -> [String] {
        func list(_ objects: [DecodeReport.Object]) -> [String] {
            objects.flatMap { [$0.tag.description] + list($0.children ?? []) }
        }
        return list(decode(hex, padding: padding).objects)
    }

    @Test("FF between objects (ber-tlv #11, bitgamma/tlv #1)")
    func fillers() {
        #expect(tags("700C5F340101FFFFFF9F570208409000", .any) == ["70", "5F34", "9F57"])
        #expect(decode("700C5F340101FFFFFF9F570208409000", padding: .any).trailingStatus == 0x9000)
        let filler = String(repeating: "FF", count: 50)
        #expect(
            tags(
                "7059" + filler + "57134761739001010010D20121200012339900031F5F200F46554C4C2F46554E4354494F4E414C", .any
            )
                == ["70", "57", "5F20"])
        #expect(
            tags(
                "6F81838407A0000000031010" + filler
                    + "A546500C5649534120544553542030318701019F38189F66049F02069F03069F1A0295055F2A029A039C019F3704"
                    + "5F2D046573656E9F1101019F120C50726566204E616D65203031", .any)
                == ["6F", "84", "A5", "50", "87", "9F38", "5F2D", "9F11", "9F12"])
    }

    @Test("zeros behind a tag list (BerTlv.NET #1) and between objects (metrodroid #457)")
    func zeros() {
        #expect(decode("5C035F2050" + String(repeating: "00", count: 200)).problems.isEmpty)
        #expect(decode("9C0100000000009A03251130").problems.isEmpty)
        #expect(!decode("9C0100000000009A03251130", padding: .strict).problems.isEmpty)
    }

    @Test("length byte 91 for 145 bytes is a guess and a problem (emv-bertlv #9)")
    func length91() {
        let inner =
            "57134761739001010119D22122011234512345678F" + "5F200A" + "4A4F484E20444F452020" + "9F1F6C"
            + String(repeating: "30", count: 108)
        let report = decode("7091" + inner)
        #expect(report.problems.first?.code == .lengthInvalid)
        #expect(report.problems.first?.offset == 1)
        #expect(report.objects.first?.details.contains { $0.hasPrefix("guess") } == true)
    }

    @Test(
        "tells what is wrong and where",
        arguments: [
            ("61064F08A000000003101001", "childOverrun", 2), ("7080 5F340101 0000", "indefiniteLength", 1),
            ("9F26", "lengthMissing", 2), ("9F", "tagTruncated", 1), ("9F2682", "lengthTruncated", 3),
            ("9F8181818181818181810101FF", "tagTooLong", 0), ("9F2688 8000000000000000", "lengthOverrun", 2),
            ("9F2688 7FFFFFFFFFFFFFFF", "lengthOverrun", 2), ("9F26 0A 01", "valueTruncated", 4),
            ("E001AA", "lengthMissing", 3), ("95020000", "wrongLength", 0), ("9500", "wrongLength", 0),
            ("9F26FF", "lengthInvalid", 2), ("3009 010106 020100 0303 00", "childOverrun", 8),
        ] as [(String, String, Int)])
    func problems(_ input: String, _ code: String, _ offset: Int) {
        let report = decode(input)
        #expect(report.problems.first?.code.rawValue == code)
        #expect(report.problems.first?.offset == offset)
    }

    @Test("tags of three bytes and unknown tags are kept (jPOS #453, #349, #353)")
    func longTags() {
        #expect(
            tags("DF8116161E0402030405060708090A0B0C0D0E0F101112131415DF81290830F0F020B0F0FF00")
                == ["DF8116", "DF8129"])
        #expect(decode("DF0102ABCD C10101").problems.isEmpty)
    }

    @Test("an object list keeps both of two equal entries (python-emv #22)")
    func duplicates() {
        let list = decode("9F381A9F66049F02069F03069F1A0295055F2A029A039C019F37049A03").objects.first
        #expect(list?.text == "36 bytes asked for")
        #expect(list?.details.filter { $0.hasPrefix("9A ") }.count == 2)
        #expect(decode("9A03251130 9A03251129").objects.count == 2)
    }

    @Test("a constructed object that is no TLV keeps its bytes, and the rest is read (GlobalPlatformPro #152)")
    func raw() {
        #expect(tags("6F0A 8408A000000151000000 E001AA 9C0100").last == "9C")
    }

    @Test("more than a hundred objects at the top (ber-tlv)")
    func many() {
        #expect(decode(String(repeating: "9C0100", count: 5000)).objects.count == 5000)
    }

    @Test("a label outside ASCII is never empty (emv-utils)")
    func label() {
        #expect(textDocument("5007D0DEE1E1D8EF20").text.contains("D0DEE1E1D8EF20 (bytes outside ASCII)"))
    }

    @Test("a 32-byte 9F10 of Visa format 4 is recognised (proxmark3 #675)")
    func visaFormat4() {
        #expect(
            textDocument("9F1020 1F4A6331A0000000000000000000000000000000000000000000000000000000").text
                .contains("Visa format 4"))
    }

    @Test("no card number is shown anywhere, in text and JSON")
    func masked() {
        for asJSON in [false, true] {
            let document = document(bytes(DecodedTranscriptTests.purchase), asJSON: asJSON)
            #expect(!document.text.contains("4761739001010119"))
        }
        #expect(document(bytes("5A084761739001010119"), reveal: true).text.contains("4761739001010119"))
    }
}
