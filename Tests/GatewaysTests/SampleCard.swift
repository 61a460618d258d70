import BERTLV
import EMV
import Testing

/// A card of the simulated issuers in one transaction of 123.45 MXN. Cryptogram and answer were computed apart from this
/// product, by a script over the openssl command that reproduces the published CVN 10 vector first; those with AES by
/// Tests/Judges/aes.py.
struct SampleCard: Sendable, CustomTestStringConvertible {
    let scheme: CryptogramScheme
    let pan: String
    let sequence: UInt8
    let issuerData: String
    let cryptogram: String
    /// The value of tag 91 for an approval.
    let answer: String

    var testDescription: String { scheme.rawValue }

    static let visa10 = SampleCard(
        scheme: .visa10, pan: "4761739001010119", sequence: 1, issuerData: "06010A03A00000",
        cryptogram: "79EE8971D09C3641", answer: "112A161BE41AD60B3030")
    static let mChip16 = SampleCard(
        scheme: .mChip16, pan: "5413330089600044", sequence: 0, issuerData: "0110A0400324C000112233445566778899AA",
        cryptogram: "8D32EEAF831CBDBA", answer: "0D932588531FD24F0012")
    static let ccdA5 = SampleCard(
        scheme: .ccdA5, pan: "5413330089600044", sequence: 0,
        issuerData: "0FA506A231C0020000000000000000000F1106" + String(repeating: "00", count: 13),
        cryptogram: "1B52FB9609E8CA48", answer: "36CC33E800820000")
    static let ccdA6 = SampleCard(
        scheme: .ccdA6, pan: "4917610000000000", sequence: 1,
        issuerData: "0FA606A231C0020000000000000000000F1106" + String(repeating: "00", count: 13),
        cryptogram: "B35609D2E578D556", answer: "0A702C1100820000")

    static let all = [
        visa10,
        SampleCard(
            scheme: .visa18, pan: "4111111111111111", sequence: 0, issuerData: "06011203A00000",
            cryptogram: "42926FD9F75689FF", answer: "54AF7D6900820000"),
        SampleCard(
            scheme: .visa22, pan: "4012888888881881", sequence: 1,
            issuerData: "1F220100A0000000" + String(repeating: "00", count: 24),
            cryptogram: "8F21E6FBD2B6CCF6", answer: "57097FFA00820000"),
        mChip16,
        SampleCard(
            scheme: .mChip17, pan: "5555555555554444", sequence: 1, issuerData: "0111A0400324C000112233445566778899AA",
            cryptogram: "1CE0F45750FDC5B2", answer: "9C2105479844B19C0012"),
        SampleCard(
            scheme: .mChip20, pan: "5105105105105100", sequence: 0, issuerData: "0114A0400324C000112233445566778899AA",
            cryptogram: "408F34A95B3B2469", answer: "29415C017D89A9E70012"),
        SampleCard(
            scheme: .mChip21, pan: "6799998900000060018", sequence: 1,
            issuerData: "0115A0400324C000112233445566778899AA",
            cryptogram: "635909256E7486DD", answer: "926688466DEAFA600012"),
        ccdA5,
        ccdA6,
    ]

    /// The objects that the cryptogram covers, and those that travel with it.
    var objects: [ObjectTag: [UInt8]] {
        [
            0x9F02: octets("000000012345"), 0x9F03: octets("000000000000"), 0x9F1A: octets("0484"),
            0x95: octets("8000048000"), 0x5F2A: octets("0484"), 0x9A: octets("261130"), 0x9C: octets("00"),
            0x9F37: octets("11223344"), 0x82: octets("3C00"), 0x9F36: octets("0007"), 0x9F10: octets(issuerData),
            0x9F26: octets(cryptogram), 0x9F27: octets("80"), 0x9F33: octets("E0F8C8"), 0x9F34: octets("420300"),
            0x9F35: octets("25"), 0x84: octets("A0000000031010"),
        ]
    }
}
