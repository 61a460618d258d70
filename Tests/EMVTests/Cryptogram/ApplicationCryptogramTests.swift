import BERTLV
import Crypto
import EMV
import Testing

/// EMV fact vectors: the values of pyemv's CVN 10 example and of jPOS's cryptogram data builders.
@Suite struct ApplicationCryptogramTests {
    struct Vector: Sendable {
        let cardKey: String
        let objects: [BERTLV.Tag: String]
        let scheme: CryptogramScheme
        let input: String
        let cryptogram: String
    }

    static let builder: [BERTLV.Tag: String] = [
        0x9F02: "000000000100", 0x9F03: "000000000000", 0x9F1A: "0840", 0x95: "0000000000", 0x5F2A: "0840",
        0x9A: "181231", 0x9C: "01", 0x9F37: "ABCDEF10", 0x82: "1800",
    ]

    static func objects(counter: String, issuerData: String) -> [BERTLV.Tag: String] {
        var objects = builder
        objects[0x9F36] = counter
        objects[0x9F10] = issuerData
        return objects
    }

    static let vectors = [
        Vector(
            cardKey: "154F349D8585CB7F6B0798E9839B10C1",
            objects: [
                0x9F02: "000000004000", 0x9F03: "000000000000", 0x9F1A: "0124", 0x95: "8000048000", 0x5F2A: "0124",
                0x9A: "191105", 0x9C: "01", 0x9F37: "52BF4585", 0x82: "1800", 0x9F36: "001C",
                0x9F10: "06010A03A06010",
            ],
            scheme: .visa10,
            input: "0000000040000000000000000124800004800001241911050152BF45851800001C03A06010",
            cryptogram: "29CCA15AE665FA2E"),
        Vector(
            cardKey: "80A89B585BBF64C2F12915BF578FABE0",
            objects: objects(counter: "0002", issuerData: "06010A03000000"), scheme: .visa10,
            input: "00000000010000000000000008400000000000084018123101ABCDEF101800000203000000",
            cryptogram: "C28B1AE0414D78B3"),
        Vector(
            cardKey: "80A89B585BBF64C2F12915BF578FABE0",
            objects: objects(counter: "0001", issuerData: "06011203000000"), scheme: .visa18,
            input: "00000000010000000000000008400000000000084018123101ABCDEF101800000106011203000000",
            cryptogram: "F149AF6E040F7551"),
    ]

    @Test("input and cryptogram are the published ones", arguments: vectors)
    func published(vector: Vector) throws {
        let data = try #require(IssuerApplicationData(octets(vector.objects[0x9F10] ?? "")))
        let scheme = try #require(data.scheme)
        #expect(scheme == vector.scheme)
        let cryptogram = try ApplicationCryptogram(
            scheme: scheme, issuerApplicationData: data, cardKey: key(vector.cardKey),
            value: { vector.objects[$0].map(octets) })
        #expect(cryptogram.input == octets(vector.input))
        #expect(try cryptogram.value() == octets(vector.cryptogram))
        #expect(try cryptogram.verifies(octets(vector.cryptogram)))
        #expect(try !cryptogram.verifies(octets("0000000000000000")))
        #expect(try !cryptogram.verifies([]))
    }

    @Test("the common session key of the CVN 18 example is the published one")
    func sessionKey() throws {
        let sessionKey = try SessionKeyDerivation.commonSessionKey.sessionKey(
            cardKey: key("80A89B585BBF64C2F12915BF578FABE0"), counter: octets("0001"),
            unpredictableNumber: octets("ABCDEF10"))
        #expect(sessionKey == key("3819C2D5A7A1A70729B5E923E6A89D7F"))
    }

    // The tail of the input after 82 and 9F36, by the table of cryptogram versions.
    static let tails: [(CryptogramScheme, String, String)] = [
        (.mChip16, "0110A0400324C000112233445566778899AA", "A0400324C000"),
        (.mChip17, "0111A0400324C000112233445566778899AA", "A0400324C00033445566778899AA"),
        (.mChip20, "0114A0400324C000112233445566778899AA", "A0400324C000"),
        (.mChip21, "0115A0400324C000112233445566778899AA", "A0400324C00033445566778899AA"),
        (
            .ccdA5, "0FA506A231C0020000000000000000000F1106" + String(repeating: "00", count: 13),
            "0FA506A231C0020000000000000000000F1106" + String(repeating: "00", count: 13)
        ),
        (
            .visa22, "1F2201" + String(repeating: "5A", count: 29),
            "1F2201" + String(repeating: "5A", count: 29)
        ),
    ]

    @Test("each version covers its own part of the issuer data", arguments: tails)
    func coveredIssuerData(scheme: CryptogramScheme, issuerData: String, tail: String) throws {
        let data = try #require(IssuerApplicationData(octets(issuerData)))
        #expect(data.scheme == scheme)
        let objects = Self.objects(counter: "0001", issuerData: "")
        let input = try ApplicationCryptogram.input(
            scheme: scheme, issuerApplicationData: data, value: { objects[$0].map(octets) })
        let front = "00000000010000000000000008400000000000084018123101ABCDEF1018000001"
        #expect(input == octets(front + tail))
    }

    static let covered: [BERTLV.Tag] = [0x9F02, 0x9F03, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37, 0x82, 0x9F36]

    @Test("a missing or misshapen object is named, not filled in", arguments: covered)
    func missing(tag: BERTLV.Tag) throws {
        let data = try #require(IssuerApplicationData(octets("06011203000000")))
        let objects = Self.objects(counter: "0001", issuerData: "")
        #expect(throws: CryptogramError.missing(tag)) {
            try ApplicationCryptogram.input(
                scheme: .visa18, issuerApplicationData: data, value: { $0 == tag ? nil : objects[$0].map(octets) })
        }
        #expect(throws: CryptogramError.length(of: tag, actual: 0)) {
            try ApplicationCryptogram.input(
                scheme: .visa18, issuerApplicationData: data, value: { $0 == tag ? [] : objects[$0].map(octets) })
        }
    }

    @Test("script key and MAC of the CVN 10 example are the published ones")
    func script() throws {
        let sessionKey = try ScriptMAC.visaSessionKey(
            cardKey: key("94F867167C64EF3EEAB0CB627A7A3480"), counter: octets("001C"))
        #expect(sessionKey == key("94F867167C64EF23EAB0CB627A7ACB62"))
        let mac = try ScriptMAC.mac(
            key: sessionKey, header: octets("8418000008"), counter: octets("001C"),
            applicationCryptogram: octets("29CCA15AE665FA2E"))
        #expect(mac == octets("DB56BA60087CEFD3"))
    }
}
