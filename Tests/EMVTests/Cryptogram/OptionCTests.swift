import Crypto
import EMV
import Testing

/// EMV Book 2, A1.4.3 (option C) and what follows from it with AES. Computed with Tests/Judges/aes.py, the judge of the
/// test suite, which compares many more.
@Suite struct OptionCTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let issuerKey: String
        /// Of the 16-digit number with sequence number 1, and of the 19-digit one without.
        let cardKeys: [String]
        /// Of the first card in its first transaction.
        let sessionKey: String
        /// Of its scripts after the cryptogram F149AF6E040F7551.
        let scriptKey: String
        let scriptMAC: String
        /// Of 5, 16 and 17 bytes.
        let encrypted: [String]

        var testDescription: String { "AES-\(issuerKey.count * 4)" }
    }

    static let vectors = [
        Vector(
            issuerKey: "0123456789ABCDEFFEDCBA9876543210",
            cardKeys: ["D42CC0675B078674839EF90EAA7809EA", "D2B6456529FDFA09B7F12FAF57791C26"],
            sessionKey: "8AF288D5CB8E9E4E93E72BED73ACC8EC", scriptKey: "DF6017B83034E1484E759DBFE244F76F",
            scriptMAC: "F63D08418F2F6A3C",
            encrypted: [
                "DAECB772C0C05CAD48B4D50DC7597511",
                "36CB65F7011CA0EFC69173D7AC38C2A9CFD9E3A9830621DF7E616AAE13A8236A",
                "36CB65F7011CA0EFC69173D7AC38C2A975B1A7F75F45E39CA7CE581003DA81B0",
            ]),
        Vector(
            issuerKey: "0123456789ABCDEFFEDCBA98765432100123456789ABCDEF",
            cardKeys: [
                "D8329044DC4E15253BA2E0853FB8D18DAEE3D0F0B81720BF", "0AF58521764A06161665345F347DEFB1B008A6D21FC9379C",
            ],
            sessionKey: "44F2A5D130917FBD3506EBA9FE35119603B78FB74ED574EA",
            scriptKey: "F95B22BD4753D6E8C4BB5E658C3E1D7D2E453DDDAACD49E2", scriptMAC: "EF4465B5B89BDF51",
            encrypted: [
                "80CA7669781133F38E306377CF7CECAA",
                "DE6C31E42017E6A7ADEE64B9DC9AF2034DF3DB26663070A8EF0D28AECBA305CB",
                "DE6C31E42017E6A7ADEE64B9DC9AF203B2EDE2D8B79A24BBE4B5F27F042A4E62",
            ]),
        Vector(
            issuerKey: "0123456789ABCDEFFEDCBA98765432100123456789ABCDEFFEDCBA9876543210",
            cardKeys: [
                "7E75161BC2243FEBCE57F318624045E4E67CD0AAA1A58E30FB5F6064959446C9",
                "49BD53F9D1089A40F3266E4431A7EA98DBE897263A45D94DE69CE7358388DFA2",
            ],
            sessionKey: "AFC5F47F6CAEEBFF41009C1808E04D1A3BE480B47E2263E9CD9BB910FC8FA98E",
            scriptKey: "9123636B2867241D8F71AAC788E637A3BAB33BB0F7EBE970225B4A4959A2C6DC",
            scriptMAC: "0FFAD9283A1B8723",
            encrypted: [
                "87A7873D30DE799ED0D53BFBA81CEA36",
                "E546005F0E29597C40C722E22FA8F29978FB3A40791FEF54F54B718726F10AE1",
                "E546005F0E29597C40C722E22FA8F2991364586FE5BD00C64F8731586F18F9F4",
            ]),
    ]

    private static func cardKey(_ vector: Vector, _ pan: String, _ sequence: UInt8?) throws -> SecretBytes {
        try CardKeyDerivation.optionC.cardKey(
            issuerMasterKey: key(vector.issuerKey), pan: #require(accountNumber(pan)), panSequenceNumber: sequence)
    }

    @Test("keys of 16, 24 and 32 bytes give keys of the same length", arguments: vectors)
    func keys(vector: Vector) throws {
        let card = try Self.cardKey(vector, "4761739001010119", 1)
        #expect(card == key(vector.cardKeys[0]))
        #expect(try Self.cardKey(vector, "6799998900000060018", nil) == key(vector.cardKeys[1]))
        let session = try SessionKeyDerivation.commonSessionKey.sessionKey(
            cardKey: card, counter: octets("0001"), unpredictableNumber: octets("ABCDEF10"), cipher: .aes)
        #expect(session == key(vector.sessionKey))
        let script = try ScriptMAC.commonSessionKey(
            cardKey: card, applicationCryptogram: octets("F149AF6E040F7551"), cipher: .aes)
        #expect(script == key(vector.scriptKey))
    }

    @Test("scripts get a MAC of eight bytes, and data in blocks of sixteen", arguments: vectors)
    func scripts(vector: Vector) throws {
        let mac = try ScriptMAC.mac(
            key: key(vector.scriptKey), header: octets("8418000008"), counter: octets("0001"),
            applicationCryptogram: octets("F149AF6E040F7551"), cipher: .aes)
        #expect(mac == octets(vector.scriptMAC))
        let data = ["0102030405", "041234FFFFFFFFFF041234FFFFFFFFFF", "041234FFFFFFFFFF041234FFFFFFFFFF01"]
        for (plain, encrypted) in zip(data, vector.encrypted) {
            let result = try ScriptConfidentiality.commonCoreAES.encrypted(octets(plain), key: key(vector.scriptKey))
            #expect(result == octets(encrypted))
        }
    }

    @Test("of a key of one block every byte of the diversifier counts, of a longer one not the third")
    func thirdByte() throws {
        let one = [UInt8](repeating: 0, count: 16)
        var other = one
        other[2] = 0x55
        for vector in Self.vectors {
            let card = key(vector.cardKeys[0])
            let keys = try [one, other].map {
                try SessionKeyDerivation.derive(from: card, diversifier: $0, cipher: .aes)
            }
            #expect((keys[0] == keys[1]) == (card.count > 16))
        }
    }

    @Test("M/Chip's session key is triple DES only, and a diversifier is one block")
    func diversifiers() {
        let card = key(Self.vectors[0].cardKeys[0])
        #expect(throws: CryptogramError.argumentLength("diversifier", actual: 8)) {
            try SessionKeyDerivation.mChip.sessionKey(
                cardKey: card, counter: [0, 1], unpredictableNumber: [1, 2, 3, 4], cipher: .aes)
        }
        for count in [0, 8, 15, 17] {
            #expect(throws: CryptogramError.argumentLength("diversifier", actual: count)) {
                try SessionKeyDerivation.derive(
                    from: card, diversifier: [UInt8](repeating: 0, count: count), cipher: .aes)
            }
        }
    }

    @Test("keys that are none of AES are refused", arguments: [0, 8, 15, 17, 40])
    func keyLengths(count: Int) throws {
        let wrong = SecretBytes([UInt8](repeating: 1, count: count))
        let refusal = CryptogramError.crypto(.keyLengthUnknown(actual: count))
        #expect(throws: refusal) {
            try CardKeyDerivation.optionC.cardKey(
                issuerMasterKey: wrong, pan: #require(accountNumber("4761739001010119")), panSequenceNumber: 1)
        }
        #expect(throws: refusal) {
            try SessionKeyDerivation.derive(
                from: wrong, diversifier: [UInt8](repeating: 0, count: 16), cipher: .aes)
        }
        #expect(throws: refusal) { try ScriptConfidentiality.commonCoreAES.encrypted([1], key: wrong) }
    }

    @Test("each scheme's keys are of one cipher: AES for Common Core version 6 alone")
    func ciphers() {
        for scheme in CryptogramScheme.allCases {
            #expect(scheme.cipher == (scheme == .ccdA6 ? .aes : .tripleDES))
        }
        #expect(CardKeyDerivation.allCases.filter { $0.cipher == .aes } == [.optionC])
    }
}
