import Crypto
import Testing

@Suite struct TripleDESTests {
    struct Vector: Sendable {
        let key: String
        let plain: String
        let cipher: String
    }

    // FIPS 81, table B1 ("Now is t"); then NIST SP 800-17, tables A.1 (variable plaintext) and A.4 (substitution tables).
    static let single = [
        Vector(key: "0123456789ABCDEF", plain: "4E6F772069732074", cipher: "3FA40E8A984D4815"),
        Vector(key: "0101010101010101", plain: "8000000000000000", cipher: "95F8A5E5DD31D900"),
        Vector(key: "0101010101010101", plain: "0000000000000001", cipher: "166B40B44ABA4BD6"),
        Vector(key: "7CA110454A1A6E57", plain: "01A1D6D039776742", cipher: "690F5B0D9A26939B"),
        Vector(key: "0131D9619DC1376E", plain: "5CD54CA83DEF57DA", cipher: "7A389D10354BD271"),
    ]

    // Key check values (the first bytes of the encrypted zero block) published with jPOS's and pyemv's EMV vectors.
    static let checkValues = [
        Vector(key: "12345678123456781234567812345678", plain: "0000000000000000", cipher: "6FB1C8"),
        Vector(key: "0123456789ABCDEFFEDCBA9876543210", plain: "0000000000000000", cipher: "08D7"),
        Vector(key: "F84315C7B95BD3B0C74694922C3808B0", plain: "0000000000000000", cipher: "1DA5"),
    ]

    @Test("single DES gives the published block and back", arguments: single)
    func singleDES(vector: Vector) throws {
        let cipher = try SingleDES(key: SecretBytes(hex(vector.key)))
        #expect(try cipher.encryptBlock(hex(vector.plain)) == hex(vector.cipher))
        #expect(try cipher.decryptBlock(hex(vector.cipher)) == hex(vector.plain))
    }

    @Test("two-key triple DES gives the published key check value", arguments: checkValues)
    func keyCheckValue(vector: Vector) throws {
        let cipher = try TripleDES(key: SecretBytes(hex(vector.key)))
        let block = try cipher.encryptBlock(hex(vector.plain))
        #expect(block.starts(with: hex(vector.cipher)))
        #expect(try cipher.decryptBlock(block) == hex(vector.plain))
    }

    @Test("triple DES is encrypt left, decrypt right, encrypt left")
    func composition() throws {
        let left = try SingleDES(key: SecretBytes(hex("0123456789ABCDEF")))
        let right = try SingleDES(key: SecretBytes(hex("FEDCBA9876543210")))
        let whole = try TripleDES(key: SecretBytes(hex("0123456789ABCDEFFEDCBA9876543210")))
        let block = hex("4E6F772069732074")
        let expected = try left.encryptBlock(right.decryptBlock(left.encryptBlock(block)))
        #expect(try whole.encryptBlock(block) == expected)
    }

    @Test("other key lengths are refused", arguments: [0, 7, 8, 15, 17, 24])
    func keyLengths(count: Int) {
        #expect(throws: CryptoError.keyLength(expected: 16, actual: count)) {
            try TripleDES(key: SecretBytes([UInt8](repeating: 1, count: count)))
        }
    }

    @Test("only whole blocks are taken", arguments: [0, 7, 9, 16])
    func blockLengths(count: Int) throws {
        let cipher = try TripleDES(key: SecretBytes([UInt8](repeating: 1, count: 16)))
        let data = [UInt8](repeating: 0, count: count)
        #expect(throws: CryptoError.blockLength(expected: 8, actual: count)) { try cipher.encryptBlock(data) }
        #expect(throws: CryptoError.blockLength(expected: 8, actual: count)) { try cipher.decryptBlock(data) }
    }
}
