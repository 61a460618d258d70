import Crypto
import EMV
import Testing

/// Computed with pyemv 1.5.0. The judges of the test suite compare many more.
@Suite struct ScriptConfidentialityTests {
    @Test(
        "data of less than a block, of a block, and of more are encrypted as pyemv does it",
        arguments: [
            (ScriptConfidentiality.visa, "0102030405", "509FF7FD23990F28"),
            (ScriptConfidentiality.mChip, "0102030405", "DC650DCECBBAB408"),
            (ScriptConfidentiality.commonCore, "0102030405", "DC650DCECBBAB408"),
            (ScriptConfidentiality.visa, "041234FFFFFFFFFF", "A0312189194D85E2C0D36DB5EFE689F1"),
            (ScriptConfidentiality.mChip, "041234FFFFFFFFFF", "6C23D2245EE13C07"),
            (ScriptConfidentiality.commonCore, "041234FFFFFFFFFF", "6C23D2245EE13C0700DB1256E87162A8"),
            (ScriptConfidentiality.visa, "041234FFFFFFFFFF01", "F765AF0D274624DFC52AA23F549CE21C"),
            (ScriptConfidentiality.mChip, "041234FFFFFFFFFF01", "6C23D2245EE13C07D10D97275259BB3E"),
            (ScriptConfidentiality.commonCore, "041234FFFFFFFFFF01", "6C23D2245EE13C07D10D97275259BB3E"),
        ])
    func equal(method: ScriptConfidentiality, data: String, encrypted: String) throws {
        let secret = key("FEDCBA98765432100123456789ABCDEF")
        #expect(try method.encrypted(octets(data), key: secret) == octets(encrypted))
    }

    @Test("more data than a command holds, and keys of another length, are refused")
    func lengths() {
        let secret = key("FEDCBA98765432100123456789ABCDEF")
        for method in [ScriptConfidentiality.visa, .mChip, .commonCore] {
            #expect(throws: CryptogramError.argumentLength("command data", actual: 256)) {
                try method.encrypted([UInt8](repeating: 0, count: 256), key: secret)
            }
            #expect(throws: CryptogramError.crypto(.keyLength(expected: 16, actual: 8))) {
                try method.encrypted([1], key: SecretBytes([UInt8](repeating: 1, count: 8)))
            }
        }
    }
}
