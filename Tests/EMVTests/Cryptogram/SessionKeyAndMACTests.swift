import BERTLV
import Crypto
import EMV
import Testing

/// EMV fact vectors, published with jPOS's JCESecurityModuleTest and pyemv.
@Suite struct SessionKeyAndMACTests {
    static let cardKey = "DCE992BCE398C264F7858AFD4C4A324A"
    static let data = "000000010000000000001000084000000010800840980704001111111158003456A08003242000"

    struct Vector: Sendable {
        let derivation: SessionKeyDerivation
        let sessionKey: String
        let method1: String
        let method2: String
    }

    static let vectors = [
        Vector(derivation: .none, sessionKey: cardKey, method1: "26C8A1042D1CAF3E", method2: "2263CD868F3E0234"),
        Vector(
            derivation: .commonSessionKey, sessionKey: "F2A75194C2B954A4163E9886BCA45473",
            method1: "36DBEE15F36B1E7F", method2: "55BE45DD2C9E0CBF"),
        Vector(
            derivation: .mChip, sessionKey: "68E9A15BBCF283EF0164F7E6C44C4325",
            method1: "9FFD1D52AE0EC0F3", method2: "AC8074C9E62EE6EF"),
    ]

    @Test("session key and MAC with both paddings are the published ones", arguments: vectors)
    func published(vector: Vector) throws {
        let sessionKey = try vector.derivation.sessionKey(
            cardKey: key(Self.cardKey), counter: octets("3456"), unpredictableNumber: octets("11111111"))
        #expect(sessionKey == key(vector.sessionKey))
        let algorithm = try ISO9797Algorithm3(key: sessionKey)
        #expect(try algorithm.mac(of: octets(Self.data), padding: .method1) == octets(vector.method1))
        #expect(try algorithm.mac(of: octets(Self.data), padding: .method2) == octets(vector.method2))
    }

    struct Diversified: Sendable {
        let cardKey: String
        let checkValue: String
        let message: String
        let padding: ISO9797Algorithm3.Padding
        let mac: String
    }

    static let twice = "0123456789ABCDEF0123456789ABCDEF"
    static let short = "F84315C7B95BD3B0C74694922C3808B0"
    static let diversified = [
        Diversified(
            cardKey: short, checkValue: "0995", message: twice, padding: .method2, mac: "4B46013359B7A58B"),
        Diversified(
            cardKey: short, checkValue: "0995", message: twice, padding: .method1, mac: "922F3E83125EB46B"),
        Diversified(
            cardKey: short, checkValue: "0995", message: twice + "01", padding: .method1, mac: "2E141C6BC4A20DA8"),
        Diversified(
            cardKey: "946DC1A8C78A624519BC4645CB073737", checkValue: "DF82", message: twice, padding: .method2,
            mac: "19C1FBC83EBDC0D5"),
        Diversified(
            cardKey: "8357F1866492A1C8D657132AABF25789", checkValue: "", message: twice, padding: .method2,
            mac: "8698A7319324FD93"),
        Diversified(
            cardKey: "F767ECC2263B2C543775CB62AB6B57D6", checkValue: "4262", message: twice, padding: .method2,
            mac: "5760EE07B4FA65D1"),
        Diversified(
            cardKey: "1C13AE23B54AF7BA49FBE09192C87983", checkValue: "7F36", message: twice, padding: .method2,
            mac: "0BAA251EA8989442"),
    ]

    @Test("a key diversified by eight bytes has the published check value and MAC", arguments: diversified)
    func diversifiedKey(vector: Diversified) throws {
        let sessionKey = try SessionKeyDerivation.derive(
            from: key(vector.cardKey), diversifier: octets("1234567890123456"))
        let check = try TripleDES(key: sessionKey).encryptBlock([UInt8](repeating: 0, count: 8))
        #expect(check.starts(with: octets(vector.checkValue)))
        let mac = try ISO9797Algorithm3(key: sessionKey).mac(of: octets(vector.message), padding: vector.padding)
        #expect(mac == octets(vector.mac))
    }

    @Test("the diversified key of the first card is the published one")
    func wholeSessionKey() throws {
        let sessionKey = try SessionKeyDerivation.derive(from: key(Self.short), diversifier: octets("1234567890123456"))
        #expect(sessionKey == key("3E736BF8D37664348A04E3ABE00DEFC1"))
    }

    @Test("a whole number of blocks is not padded by method 1 and gets a block more by method 2")
    func paddings() throws {
        let algorithm = try ISO9797Algorithm3(key: key(Self.cardKey))
        let block = octets("0011223344556677")
        let longer = block + [0x80, 0, 0, 0, 0, 0, 0, 0]
        #expect(
            try algorithm.mac(of: block, padding: .method2) == algorithm.mac(of: longer, padding: .method1))
        #expect(
            try algorithm.mac(of: [], padding: .method1)
                == algorithm.mac(of: [UInt8](repeating: 0, count: 8), padding: .method1))
    }

    @Test("values of the wrong length are refused")
    func lengths() {
        #expect(throws: CryptogramError.length(of: 0x9F36, actual: 3)) {
            try SessionKeyDerivation.commonSessionKey.sessionKey(
                cardKey: key(Self.cardKey), counter: [0, 0, 1], unpredictableNumber: [0, 0, 0, 0])
        }
        #expect(throws: CryptogramError.length(of: 0x9F37, actual: 0)) {
            try SessionKeyDerivation.mChip.sessionKey(
                cardKey: key(Self.cardKey), counter: [0, 1], unpredictableNumber: [])
        }
        #expect(throws: CryptogramError.argumentLength("diversifier", actual: 7)) {
            try SessionKeyDerivation.derive(from: key(Self.cardKey), diversifier: [0, 1, 2, 3, 4, 5, 6])
        }
        #expect(throws: CryptogramError.crypto(.keyLength(expected: 16, actual: 24))) {
            try ISO9797Algorithm3(key: SecretBytes([UInt8](repeating: 1, count: 24)))
        }
    }
}
