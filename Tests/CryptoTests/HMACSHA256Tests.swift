import Crypto
import Testing

@Suite struct HMACSHA256Tests {
    struct Vector: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let code: String
    }

    // RFC 4231, test cases 1, 2, 3 and 6; the last is the well-known code of the empty key and message.
    static let vectors = [
        Vector(
            key: [UInt8](repeating: 0x0B, count: 20), message: Array("Hi There".utf8),
            code: "B0344C61D8DB38535CA8AFCEAF0BF12B881DC200C9833DA726E9376C2E32CFF7"),
        Vector(
            key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            code: "5BDCC146BF60754E6A042426089575C75A003F089D2739839DEC58B964EC3843"),
        Vector(
            key: [UInt8](repeating: 0xAA, count: 20), message: [UInt8](repeating: 0xDD, count: 50),
            code: "773EA91E36800E46854DB8EBD09181A72959098B3EF8C122D9635514CED565FE"),
        Vector(
            key: [UInt8](repeating: 0xAA, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: "60E431591EE0B67F0D8A26AACBF5B77F8E0BC6213728C5140546040F0EE37F54"),
        Vector(key: [], message: [], code: "B613679A0814D9EC772F95D778C35FC5FF1697C493715653C6C712144292C5AD"),
    ]

    @Test("the code is the published one", arguments: vectors)
    func published(vector: Vector) throws {
        let code = try HMACSHA256.code(for: vector.message, key: SecretBytes(vector.key))
        #expect(code == hex(vector.code))
    }

    @Test("a code with any one bit changed does not verify")
    func changedBit() throws {
        let key = SecretBytes(Array("Jefe".utf8))
        let message = Array("what do ya want for nothing?".utf8)
        let code = try HMACSHA256.code(for: message, key: key)
        #expect(try HMACSHA256.verify(code, for: message, key: key))
        for bit in 0..<(code.count * 8) {
            var wrong = code
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try !HMACSHA256.verify(wrong, for: message, key: key))
        }
        #expect(try !HMACSHA256.verify(Array(code.dropLast()), for: message, key: key))
    }
}
