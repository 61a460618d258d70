import Crypto
import Testing

struct RSAPublicKeyTests {
    /// EMV fact vectors: Visa's published test key 94 and an issuer certificate below it.
    static let modulus =
        "ACD2B12302EE644F3F835ABD1FC7A6F62CCE48FFEC622AA8EF062BEF6FB8BA8BC68BBF6AB5870EED579BC3973E121303D348"
        + "41A796D6DCBC41DBF9E52C4609795C0CCF7EE86FA1D5CB041071ED2C51D2202F63F1156C58A92D38BC60BDF424E1776E2BC9"
        + "648078A03B36FB554375FC53D57C73F5160EA59F3AFC5398EC7B67758D65C9BFF7828B6B82D4BE124A416AB7301914311EA4"
        + "62C19F771F31B3B57336000DFF732D3B83DE07052D730354D297BEC72871DCCF0E193F171ABA27EE464C6A97690943D59BDA"
        + "BB2A27EB71CEEBDAFA1176046478FD62FEC452D5CA393296530AA3F41927ADFE434A2DF2AE3054F8840657A26E0FC617"
    static let certificate =
        "665CD65C20DEAE638C7320EA011E5E2B33FC5070FF7D153D74FE9A01ABFF0B9587B3779C524577F8A57C19923B39CD3F5CCD"
        + "D457D360DC2619CDBB94328777BB905E1CB79E280458F60C8C5593EFD22D6385512B11B7F2EAFE1184CF9066B9B47A0BF832"
        + "045066359AE465473D31B9F830A6DE7D88E969CB456033F8073BEC512205920E3DEA773D3E36E1F46C2E8BDDC423FB675CA1"
        + "710A3D0A06E9C7570919735190BD6ED65BD5EF92C0416BFE4094EA96A218013838EF337151A8BE7222DCF0717399553C4DDA"
        + "16EBABB2DD386A07BDF313D970C1324CAAB885067691E3EE5E5D8B912799BD53C8E1830237E9EC0A9254D80B2BD3622C"

    @Test func certificateIsRecovered() throws {
        let key = try RSAPublicKey(modulus: hex(Self.modulus), exponent: [3])
        let data = try key.recover(hex(Self.certificate))
        #expect(data.count == 248)
        #expect(data.prefix(16) == hex("6A02476173FF123103DA0A0101B001")[...] + [data[15]])
        #expect(data.suffix(21) == hex("BD4D1A9B4BB76388DB2E91103035EDEDFBE80534BC")[...])
    }

    /// Numbers that can be checked by hand: 2^3, and (N - 2)^3 = -8.
    @Test func smallNumbersArePadded() throws {
        let modulus = [UInt8](repeating: 0xFF, count: 64)
        let key = try RSAPublicKey(modulus: modulus, exponent: [3])
        let zeros = [UInt8](repeating: 0, count: 63)
        #expect(try key.recover(zeros + [2]) == zeros + [8])
        #expect(try key.recover(modulus.dropLast() + [0xFD]) == modulus.dropLast() + [0xF7])
        #expect(try key.recover(zeros + [0]) == zeros + [0])
        #expect(try key.encipher(SecretBytes(zeros + [3])) == zeros + [27])
        let large = try RSAPublicKey(modulus: modulus, exponent: [1, 0, 1])
        // 2^65537 modulo 2^512 - 1 is 2^(65537 mod 512).
        #expect(try large.recover(zeros + [2]) == zeros + [2])
    }

    @Test func lengthOfTheSignatureIsChecked() throws {
        let key = try RSAPublicKey(modulus: hex(Self.modulus), exponent: [3])
        for length in [0, 1, 247, 249, 4096] {
            #expect(throws: CryptoError.blockLength(expected: 248, actual: length)) {
                try key.recover([UInt8](repeating: 0, count: length))
            }
        }
        #expect(throws: CryptoError.notBelowModulus) { try key.recover(hex(Self.modulus)) }
        #expect(throws: CryptoError.notBelowModulus) { try key.recover([UInt8](repeating: 0xFF, count: 248)) }
    }

    @Test func unusableKeysAreRefused() {
        let good = [UInt8](repeating: 0xFF, count: 64)
        for modulus in [[], Array(good.dropLast()), good.dropLast() + [0xFE], [0] + good, good + good + good + good] {
            #expect(throws: CryptoError.modulus(length: modulus.count)) {
                try RSAPublicKey(modulus: modulus, exponent: [3])
            }
        }
        for exponent: [UInt8] in [[], [0], [1], [2], [0, 3], [1, 0, 0], [1, 0, 1, 0]] {
            #expect(throws: CryptoError.exponent) { try RSAPublicKey(modulus: good, exponent: exponent) }
        }
    }
}
