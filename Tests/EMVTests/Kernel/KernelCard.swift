/// A Visa card of one record, to be changed in one place by each test.
struct KernelCard {
    /// Tag 82: cardholder verification, terminal risk management, issuer authentication by command.
    var profile = "1C00"
    /// Tag 94.
    var locator = "08010100"
    /// The record 1/1 without its template.
    var objects = [
        "5A": "4761739001010119", "5F24": "491231", "8C": firstList, "8D": secondList, "8E": "00000000000000001F00",
        "57": "4761739001010119D49122010000000000000F",
    ]

    static let firstList = "9F02069F03069F1A0295055F2A029A039C019F21039F37049F34039F35019F4502"
    static let secondList = "8A02910A95059B029F3704"
    static let information = "6F168407A0000000031010A50B5009564953412054455354"

    /// ATC 0029, CVN 10.
    static let arqc = cryptogram("80")

    static func cryptogram(_ information: String, atc: String = "0029") -> String {
        tlv(
            "77", tlv("9F27", information), tlv("9F36", atc), tlv("9F26", "7CB3BA090724C524"),
            tlv("9F10", "06010A03A4B800"))
    }

    /// No directory, one application.
    static let selection = """
        00A404000E315041592E5359532E444446303100 < 6A82
        00A4040007A000000003101000 < \(information)9000
        00A4040007A000000003101000 < \(information)9000

        """

    /// The value of tag 70, in the order of the tags.
    var record: String {
        tlv("70", objects.sorted { $0.key < $1.key }.map { tlv($0.key, $0.value) }.joined())
    }

    /// Up to the record, which is the last line.
    var reading: String {
        Self.selection + "80A8000002830000 < \(tlv("80", profile, locator))9000\n00B2010C00 < \(record)9000\n"
    }

    /// Everything, with whatever is asked for first, to an approval.
    var approved: String {
        reading + """
            80AE8000* < \(Self.arqc)9000
            host 00 yes \(tlv("91", "11223344556677883030"))
            00820000* < 9000
            80AE4000* < \(Self.cryptogram("40"))9000
            """
    }

    /// For a card without EXTERNAL AUTHENTICATE.
    var approvedWithoutAuthentication: String {
        reading + """
            80AE8000* < \(Self.arqc)9000
            host 00 yes
            80AE4000* < \(Self.cryptogram("40"))9000
            """
    }

    static func first(_ type: String = "80", tvr: String, cvm: String) -> String {
        "80AE\(type)0026" + "000000011500" + "000000000000" + "0484" + tvr + "0484" + "261130" + "00" + "102030"
            + "11223344" + cvm + "24" + "0000" + "00"
    }

    static func second(_ type: String, code: String, authentication: String, tvr: String, tsi: String) -> String {
        "80AE\(type)0017" + code + authentication + tvr + tsi + "11223344" + "00"
    }
}
