import Gateways
import Testing

@Suite struct IssuerDirectoryTests {
    static let known = [
        "4761739001010119", "4111111111111111", "4012888888881881", "5413330089600044", "5555555555554444",
        "5105105105105100", "6799998900000060018", "4917610000000000",
    ]

    @Test("the test cards have an issuer", arguments: known.indices)
    func embedded(index: Int) throws {
        let pan = Self.known[index]
        #expect(try IssuerDirectory.embedded().knows(SampleRequest.pan(pan)))
    }

    @Test("other cards have none", arguments: ["378282246310005", "4000000000000002", "00000000"])
    func unknown(pan: String) throws {
        #expect(try !IssuerDirectory.embedded().knows(SampleRequest.pan(pan)))
    }

    @Test("what is not a file of issuers is refused", arguments: ["", "{", "[]", "{}", "null", "{\"issuers\":[{}]}"])
    func garbage(text: String) {
        #expect(throws: IssuerDirectoryError.unreadable) { try IssuerDirectory(json: Array(text.utf8)) }
    }

    static func file(
        provider: String = "A000000003", option: String = "A", key: String = String(repeating: "0F", count: 16),
        prefix: String = "4", account: String = "credit"
    ) -> [UInt8] {
        Array(
            """
            {"issuers":[{"brand":"VISA","provider":"\(provider)","cardKeyOption":"\(option)","imkAC":"\(key)",
            "imkSMI":"\(key)","imkSMC":"\(key)","ranges":[{"prefix":"\(prefix)","accountType":"\(account)","bank":"B"}]}]}
            """.utf8)
    }

    @Test("a wrong field is named, its value is not")
    func fields() throws {
        #expect(try IssuerDirectory(json: Self.file()).knows(SampleRequest.pan("4000000000000002")))
        // Keys of triple DES have 16 bytes, those of AES may have more.
        let long = [24, 32].map { String(repeating: "0F", count: $0) }
        for key in long {
            #expect(throws: IssuerDirectoryError.field("imkAC", brand: "VISA")) {
                try IssuerDirectory(json: Self.file(option: "B", key: key))
            }
            _ = try IssuerDirectory(json: Self.file(option: "C", key: key))
        }
        let wrong: [([UInt8], String)] = [
            (Self.file(provider: "A0000000"), "provider"), (Self.file(option: "D"), "cardKeyOption"),
            (Self.file(key: "0F0F"), "imkAC"), (Self.file(key: String(repeating: "XY", count: 16)), "imkAC"),
            (Self.file(prefix: ""), "prefix"), (Self.file(prefix: "4a"), "prefix"),
            (Self.file(prefix: "4761731"), "prefix"), (Self.file(account: "cheque"), "accountType"),
        ]
        for (json, field) in wrong {
            #expect(throws: IssuerDirectoryError.field(field, brand: "VISA")) { try IssuerDirectory(json: json) }
        }
    }
}
