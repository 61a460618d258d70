import Crypto
import Testing

/// ANSI X9.24-1:2009, annex A.4: base derivation key, key serial numbers and the keys for data as the standard's table and
/// public implementations list them.
@Suite struct TripleDESDUKPTTests {
    struct Vector: Sendable {
        let serial: String
        let dataKey: String
    }

    static let vectors = [
        Vector(serial: "FFFF9876543210E00001", dataKey: "448D3F076D8304036A55A3D7E0055A78"),
        Vector(serial: "FFFF9876543210E00002", dataKey: "F1BE73B36135C5C26CF937D50ABBE5AF"),
        Vector(serial: "FFFF9876543210E00003", dataKey: "EEEEF522C67239E4A2A65FEBF4C511F4"),
        Vector(serial: "FFFF9876543210E00004", dataKey: "BCF2610997C3AC3C5F13AE965A1B773B"),
        Vector(serial: "FFFF9876543210E00008", dataKey: "C39B2778B058AC376FB18DC906F75CBA"),
        Vector(serial: "FFFF9876543210E0000A", dataKey: "BC9C848366B1F9997656DD8004C5C43B"),
        Vector(serial: "FFFF9876543210E00015", dataKey: "D9AE3E62F5E3CA2C357E37F500D9F314"),
    ]

    private func makeHost() throws -> TripleDESDUKPT {
        try TripleDESDUKPT(baseDerivationKey: SecretBytes(hex("0123456789ABCDEFFEDCBA9876543210")))
    }

    @Test("the key for data of each transaction", arguments: vectors)
    func dataKeys(_ vector: Vector) throws {
        let key = try makeHost().dataKey(hex(vector.serial))
        #expect(key.withBytes { Array($0) } == hex(vector.dataKey))
    }

    @Test("cipher block chaining with a zero IV: each block but the first is mixed with the one before")
    func chaining() throws {
        let host = try makeHost()
        let serial = hex("FFFF9876543210E00001")
        let cipher = try TripleDES(key: try host.dataKey(serial))
        let plain: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
        let first = try cipher.encryptBlock(Array(plain[..<8]))
        let second = try cipher.encryptBlock(zip(plain[8...], first).map { $0 ^ $1 })
        #expect(try host.decrypt(first + second, keySerialNumber: serial) == plain)
        #expect(try host.decrypt([], keySerialNumber: serial) == [])
    }

    @Test("wrong lengths are refused")
    func lengths() throws {
        #expect(throws: CryptoError.keyLength(expected: 16, actual: 15)) {
            try TripleDESDUKPT(baseDerivationKey: SecretBytes([UInt8](repeating: 0, count: 15)))
        }
        let host = try makeHost()
        #expect(throws: CryptoError.blockLength(expected: 10, actual: 9)) {
            try host.dataKey([UInt8](repeating: 0xFF, count: 9))
        }
        #expect(throws: CryptoError.blockLength(expected: 8, actual: 1)) {
            try host.decrypt([UInt8](repeating: 0, count: 9), keySerialNumber: hex("FFFF9876543210E00001"))
        }
    }
}
