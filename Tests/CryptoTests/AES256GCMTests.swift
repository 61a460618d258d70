import Crypto
import Testing

/// Test cases 13, 14 and 16 of "The Galois/Counter Mode of Operation" (McGrew and Viega), the vectors of SP 800-38D.
@Suite struct AES256GCMTests {
    private static let zeroKey = SecretBytes([UInt8](repeating: 0, count: 32))
    private static let zeroNonce = [UInt8](repeating: 0, count: 12)

    @Test func publishedVectors() throws {
        #expect(
            try AES256GCM.seal([], key: Self.zeroKey, nonce: Self.zeroNonce) == hex("530f8afbc74536b9a963b4f1c4cb738b"))
        #expect(
            try AES256GCM.seal([UInt8](repeating: 0, count: 16), key: Self.zeroKey, nonce: Self.zeroNonce)
                == hex("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"))
        let key = SecretBytes(hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"))
        let plain = hex(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
                + "b16aedf5aa0de657ba637b39")
        let data = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        let nonce = hex("cafebabefacedbaddecaf888")
        let sealed = hex(
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838"
                + "c5f61e6393ba7a0abcc9f662" + "76fc6ece0f4e1768cddf8853bb2d551b")
        #expect(try AES256GCM.seal(plain, key: key, nonce: nonce, authenticating: data) == sealed)
        #expect(try AES256GCM.open(sealed, key: key, nonce: nonce, authenticating: data) == plain)
    }

    @Test("one changed bit anywhere, another nonce and other data are refused")
    func changed() throws {
        let sealed = try AES256GCM.seal([1, 2, 3], key: Self.zeroKey, nonce: Self.zeroNonce, authenticating: [4])
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 0x10
            #expect(
                try AES256GCM.open(changed, key: Self.zeroKey, nonce: Self.zeroNonce, authenticating: [4]) == nil)
        }
        #expect(try AES256GCM.open(sealed, key: Self.zeroKey, nonce: Self.zeroNonce, authenticating: [5]) == nil)
        #expect(
            try AES256GCM.open(
                sealed, key: Self.zeroKey, nonce: [UInt8](repeating: 1, count: 12), authenticating: [4]) == nil)
        for count in 0..<16 {
            #expect(try AES256GCM.open(Array(sealed.prefix(count)), key: Self.zeroKey, nonce: Self.zeroNonce) == nil)
        }
    }

    @Test("keys and nonces of another length are refused")
    func lengths() {
        #expect(throws: CryptoError.keyLength(expected: 32, actual: 16)) {
            _ = try AES256GCM.seal([], key: SecretBytes([UInt8](repeating: 0, count: 16)), nonce: Self.zeroNonce)
        }
        #expect(throws: CryptoError.blockLength(expected: 12, actual: 8)) {
            _ = try AES256GCM.seal([], key: Self.zeroKey, nonce: [UInt8](repeating: 0, count: 8))
        }
    }
}
