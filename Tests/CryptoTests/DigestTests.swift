import Crypto
import Testing

@Suite struct DigestTests {
    // NIST "Examples with Intermediate Values" for FIPS 180-4: one block, two blocks, and the empty message.
    static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    static let sha1 = [
        ("", "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709"),
        ("abc", "A9993E364706816ABA3E25717850C26C9CD0D89D"),
        (twoBlocks, "84983E441C3BD26EBAAE4AA1F95129E5E54670F1"),
    ]
    static let sha256 = [
        ("", "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"),
        ("abc", "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"),
        (twoBlocks, "248D6A61D20638B8E5C026930C3E6039A33CE45964FF2167F6ECEDD419DB06C1"),
    ]

    @Test("SHA-1 gives the published digest", arguments: sha1)
    func sha1Digest(message: String, digest: String) throws {
        #expect(try SHA1.digest(of: Array(message.utf8)) == hex(digest))
    }

    @Test("SHA-256 gives the published digest", arguments: sha256)
    func sha256Digest(message: String, digest: String) throws {
        #expect(try SHA256.digest(of: Array(message.utf8)) == hex(digest))
        #expect(try SHA256.hexDigest(of: Array(message.utf8)) == digest.lowercased())
    }
}
