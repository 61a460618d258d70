import Crypto
import Testing

@Suite struct SecretBytesTests {
    @Test("no text form, reflection or dump shows a byte")
    func silent() {
        let secret = SecretBytes(hex("DEADBEEF"))
        var dumped = ""
        dump(secret, to: &dumped)
        let texts = [String(describing: secret), String(reflecting: secret), dumped]
        for text in texts {
            #expect(!text.uppercased().contains("DE"))
            #expect(!text.contains("222"))
        }
    }

    @Test("equality looks at every byte and the length")
    func equality() {
        #expect(SecretBytes([1, 2, 3]) == SecretBytes([1, 2, 3]))
        #expect(SecretBytes([1, 2, 3]) != SecretBytes([1, 2, 4]))
        #expect(SecretBytes([1, 2, 3]) != SecretBytes([1, 2]))
        #expect(SecretBytes([]) == SecretBytes([]))
    }

    @Test("wiping leaves nothing")
    func wiping() {
        var bytes: [UInt8] = [1, 2, 3]
        wipe(&bytes)
        #expect(bytes.isEmpty)
    }
}
