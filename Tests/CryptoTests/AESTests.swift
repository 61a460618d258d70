import Crypto
import Testing

/// FIPS 197, Appendix C; NIST SP 800-38A, F.2; SP 800-38B, D, and RFC 4493, 4.
@Suite struct AESTests {
    static let blocks = [
        ("000102030405060708090A0B0C0D0E0F", "69C4E0D86A7B0430D8CDB78070B4C55A"),
        ("000102030405060708090A0B0C0D0E0F1011121314151617", "DDA97CA4864CDFE06EAF70A0EC0D7191"),
        (
            "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
            "8EA2B7CA516745BFEAFC49904B496089"
        ),
    ]

    @Test("one block there and back is the published one", arguments: blocks)
    func block(key: String, cipher: String) throws {
        let aes = try AES(key: SecretBytes(hex(key)))
        let plain = hex("00112233445566778899AABBCCDDEEFF")
        #expect(try aes.encryptBlock(plain) == hex(cipher))
        #expect(try aes.decryptBlock(hex(cipher)) == plain)
    }

    static let key128 = "2B7E151628AED2A6ABF7158809CF4F3C"
    static let key192 = "8E73B0F7DA0E6452C810F32B809079E562F8EAD2522C6B7B"
    static let key256 = "603DEB1015CA71BE2B73AEF0857D77811F352C073B6108D72D9810A30914DFF4"
    static let text =
        "6BC1BEE22E409F96E93D7E117393172AAE2D8A571E03AC9C9EB76FAC45AF8E51"
        + "30C81C46A35CE411E5FBC1191A0A52EFF69F2445DF4F9B17AD2B417BE66C3710"

    static let chains = [
        (key128, "7649ABAC8119B246CEE98E9B12E9197D5086CB9B507219EE95DB113A917678B2"),
        (key192, "4F021DB243BC633D7178183A9FA071E8B4D9ADA9AD7DEDF4E5E738763F69145A"),
        (key256, "F58C4C04D6E5F1BA779EABFB5F7BFBD69CFC4E967EDB808D679F777BC6702C7D"),
    ]

    @Test("a chain is the published one", arguments: chains)
    func chain(key: String, cipher: String) throws {
        let chained = try AES(key: SecretBytes(hex(key))).encryptChain(
            Array(hex(Self.text).prefix(32)), initialVector: hex("000102030405060708090A0B0C0D0E0F"))
        #expect(chained == hex(cipher))
    }

    @Test("without a first vector it is zeros")
    func zeroVector() throws {
        let aes = try AES(key: SecretBytes(hex(Self.key128)))
        let block = Array(hex(Self.text).prefix(16))
        #expect(try aes.encryptChain(block) == aes.encryptBlock(block))
    }

    static let codes = [
        (key128, 0, "BB1D6929E95937287FA37D129B756746"), (key128, 16, "070A16B46B4D4144F79BDD9DD04A287C"),
        (key128, 40, "DFA66747DE9AE63030CA32611497C827"), (key128, 64, "51F0BEBF7E3B9D92FC49741779363CFE"),
        (key192, 0, "D17DDF46ADAACDE531CAC483DE7A9367"), (key192, 16, "9E99A7BF31E710900662F65E617C5184"),
        (key192, 40, "8A1DE5BE2EB31AAD089A82E6EE908B0E"), (key192, 64, "A1D5DF0EED790F794D77589659F39A11"),
        (key256, 0, "028962F61B7BF89EFC6B551F4667D983"), (key256, 16, "28A7023F452E8F82BD4BF28D8C37C35C"),
        (key256, 40, "AAF3D8F1DE5640C232F5B169B9C911E6"), (key256, 64, "E1992190549F6ED5696A2C056C315410"),
    ]

    @Test("CMAC is the published one", arguments: codes)
    func code(key: String, count: Int, code: String) throws {
        let message = Array(hex(Self.text).prefix(count))
        #expect(try AESCMAC.code(for: message, key: SecretBytes(hex(key))) == hex(code))
    }

    @Test("lengths of keys and blocks that AES does not have are refused", arguments: [0, 8, 15, 17, 31, 33])
    func lengths(count: Int) throws {
        let octets = [UInt8](repeating: 1, count: count)
        #expect(throws: CryptoError.keyLengthUnknown(actual: count)) { try AES(key: SecretBytes(octets)) }
        #expect(throws: CryptoError.keyLengthUnknown(actual: count)) {
            try AESCMAC.code(for: [], key: SecretBytes(octets))
        }
        let aes = try AES(key: SecretBytes(hex(Self.key128)))
        let refused = CryptoError.blockLength(expected: 16, actual: count)
        #expect(throws: refused) { try aes.encryptBlock(octets) }
        #expect(throws: refused) { try aes.decryptBlock(octets) }
        #expect(throws: refused) { try aes.encryptChain(octets) }
        #expect(throws: refused) { try aes.encryptChain(hex(Self.text), initialVector: octets) }
    }
}
