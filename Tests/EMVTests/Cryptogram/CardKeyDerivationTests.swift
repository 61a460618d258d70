import Crypto
import EMV
import Testing

/// EMV fact vectors, published with jPOS's JCESecurityModuleTest and pyemv.
@Suite struct CardKeyDerivationTests {
    struct Vector: Sendable {
        let option: CardKeyDerivation
        let issuerKey: String
        let pan: String
        let sequence: UInt8?
        let cardKey: String
    }

    static let first = "12345678123456781234567812345678"
    static let second = "0123456789ABCDEFFEDCBA9876543210"
    static let long = "12345678901234567"

    static let vectors = [
        Vector(
            option: .optionA, issuerKey: first, pan: "1234567890123456", sequence: 0,
            cardKey: "DCE992BCE398C264F7858AFD4C4A324A"),
        Vector(
            option: .optionA, issuerKey: second, pan: "9901234567890123", sequence: 45,
            cardKey: "F84315C7B95BD3B0C74694922C3808B0"),
        Vector(
            option: .optionA, issuerKey: second, pan: long, sequence: 45,
            cardKey: "946DC1A8C78A624519BC4645CB073737"),
        Vector(
            option: .optionA, issuerKey: second, pan: long, sequence: nil,
            cardKey: "8357F1866492A1C8D657132AABF25789"),
        Vector(
            option: .optionB, issuerKey: second, pan: long, sequence: 45,
            cardKey: "F767ECC2263B2C543775CB62AB6B57D6"),
        Vector(
            option: .optionB, issuerKey: second, pan: long, sequence: nil,
            cardKey: "1C13AE23B54AF7BA49FBE09192C87983"),
        Vector(
            option: .optionA, issuerKey: second, pan: "1234567890123456", sequence: 0,
            cardKey: "154F349D8585CB7F6B0798E9839B10C1"),
        Vector(
            option: .optionA, issuerKey: "FEDCBA98765432100123456789ABCDEF", pan: "1234567890123456", sequence: 0,
            cardKey: "94F867167C64EF3EEAB0CB627A7A3480"),
        Vector(
            option: .optionA, issuerKey: second, pan: "4761739001010119", sequence: 1,
            cardKey: "80A89B585BBF64C2F12915BF578FABE0"),
        // Option B is option A for PANs of up to 16 digits.
        Vector(
            option: .optionB, issuerKey: second, pan: "4761739001010119", sequence: 1,
            cardKey: "80A89B585BBF64C2F12915BF578FABE0"),
    ]

    @Test("the card key is the published one", arguments: vectors.indices)
    func published(index: Int) throws {
        let vector = Self.vectors[index]
        let pan = try #require(accountNumber(vector.pan))
        let cardKey = try vector.option.cardKey(
            issuerMasterKey: key(vector.issuerKey), pan: pan, panSequenceNumber: vector.sequence)
        #expect(cardKey == key(vector.cardKey))
    }

    @Test("a sequence number of three digits is refused")
    func sequence() throws {
        let pan = try #require(accountNumber(Self.long))
        #expect(throws: CryptogramError.panSequenceNumber(100)) {
            try CardKeyDerivation.optionA.cardKey(
                issuerMasterKey: key(Self.first), pan: pan, panSequenceNumber: 100)
        }
    }

    @Test("an issuer key of the wrong length is refused")
    func keyLength() throws {
        let pan = try #require(accountNumber(Self.long))
        #expect(throws: CryptogramError.crypto(.keyLength(expected: 16, actual: 8))) {
            try CardKeyDerivation.optionB.cardKey(
                issuerMasterKey: key("0123456789ABCDEF"), pan: pan, panSequenceNumber: nil)
        }
    }
}
