import Testing

@testable import FirmwareCores

/// ANSI X9.24-1:2009, annex A: base derivation key 0123456789ABCDEFFEDCBA9876543210, initial key serial number
/// FFFF9876543210E00000. The keys were computed a second time with OpenSSL's DES-EDE by a separate script.
struct DUKPTKeyTests {
    private static let baseKey = hex("0123456789ABCDEFFEDCBA9876543210")

    @Test func initialKeyIsThatOfTheStandard() {
        let key = DUKPTKey.initialKey(baseKey: Self.baseKey, keySerialNumber: hex("FFFF9876543210E00000"))
        #expect(text(key) == "6AC292FAA1315B4D858AB3A3D7D5933A")
        // The counter is no part of it.
        let later = DUKPTKey.initialKey(baseKey: Self.baseKey, keySerialNumber: hex("FFFF9876543210FFFFFF"))
        #expect(later == key)
    }

    @Test(arguments: [
        ("00001", "042666B49184CFA368DE9628D0397BC9", "448D3F076D8304036A55A3D7E0055A78"),
        ("00002", "C46551CEF9FD24B0AA9AD834130D3BC7", "F1BE73B36135C5C26CF937D50ABBE5AF"),
        ("00003", "0DF3D9422ACA56E547676D07AD6BADFA", "EEEEF522C67239E4A2A65FEBF4C511F4"),
        ("00004", "279C0F6AEED0BE652B2C733E1383AE91", "BCF2610997C3AC3C5F13AE965A1B773B"),
        ("00008", "27F66D5244FF62E1AA6F6120EDEB4280", "C39B2778B058AC376FB18DC906F75CBA"),
        ("00010", "59598DCBD9BD94C094165CE453585F57", "82D613B1742B19C55F653616A47DF1A0"),
        ("FF800", "F9CDFEBF4F5B1D9EB3EC12454527E176", "A9E03F541E29B4FDD47141AECF25190B"),
    ])
    func keysOfTransactions(counter: String, key: String, dataKey: String) {
        let derived = DUKPTKey(baseKey: Self.baseKey, keySerialNumber: hex("FFFF9876543210E" + counter))
        #expect(text(derived.bytes) == key)
        #expect(text(derived.dataKey.bytes) == dataKey)
    }

    /// Counters with more than ten ones are left out, and so is zero after the last.
    @Test(arguments: [
        ("E00000", "E00001"), ("E00002", "E00003"), ("E007FE", "E00800"), ("E00FFE", "E01000"), ("FFF800", "E00001"),
    ])
    func serialNumbersCountUp(before: String, after: String) {
        #expect(text(DUKPTKey.after(hex("FFFF9876543210" + before))) == "FFFF9876543210" + after)
    }

    /// By `openssl enc -des-ede-cbc` with the data key and a zero IV, zeros added.
    @Test func dataIsEncryptedInCBCMode() throws {
        let key = DUKPTKey(baseKey: Self.baseKey, keySerialNumber: hex("FFFF9876543210E00001")).dataKey
        let plain = Array("READERKIT TRACK DATA".utf8)
        let cipher = key.encrypt(plain)
        #expect(text(cipher) == "DE9A74675DC4F097C81CD1AED6811CFF8EB9FF82DD902823")
        #expect(key.decrypt(cipher) == plain + [0, 0, 0, 0])
    }
}
