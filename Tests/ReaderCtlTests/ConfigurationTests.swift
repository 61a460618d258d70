import FoundationEssentials
import Testing

@testable import readerctl

@Suite struct ConfigurationTests {
    private static func read(_ json: String) throws(CommandFailure) -> Configuration {
        try Configuration(Data(json.utf8), path: "kiosk.json")
    }

    @Test("without keys everything has its default")
    func defaults() throws {
        let configuration = try Self.read("{}")
        #expect(configuration.gateway == "simulator")
        #expect(configuration.merchantName == "ReaderKit")
        #expect(configuration.merchantID == "READERKIT000001")
        #expect(configuration.merchantCategoryCode == "5999")
        #expect(configuration.terminalID == "KIOSK001")
        #expect(configuration.cardTimeout == 60 && configuration.hostTimeout == 60)
    }

    @Test("every key is read")
    func everything() throws {
        let configuration = try Self.read(
            """
            {"gateway":"simulator","merchantName":"Cinco & Diez","merchantId":"A","merchantCategoryCode":"0742",
             "terminalId":"T0000001","cardTimeoutSeconds":1,"hostTimeoutSeconds":600}
            """)
        #expect(configuration.merchantName == "Cinco & Diez")
        #expect(configuration.merchantID == "A")
        #expect(configuration.merchantCategoryCode == "0742")
        #expect(configuration.terminalID == "T0000001")
        #expect(configuration.cardTimeout == 1 && configuration.hostTimeout == 600)
    }

    @Test(
        "a key that is unknown or out of range is refused by its name",
        arguments: [
            ("merchantname", #""A""#), ("", #""A""#), ("gateway", #""bank""#), ("gateway", "1"),
            ("merchantName", #""""#),
            ("merchantName", "1"), ("merchantId", #""""#), ("merchantId", #""READERKIT0000012""#),
            ("merchantCategoryCode", #""599""#), ("merchantCategoryCode", #""59999""#),
            ("merchantCategoryCode", #""+599""#), ("merchantCategoryCode", #""-000""#),
            ("merchantCategoryCode", #""59a9""#), ("merchantCategoryCode", #""٥٩""#), ("merchantCategoryCode", "5999"),
            ("terminalId", #""KIOSK01""#), ("terminalId", #""KIOSK0001""#), ("cardTimeoutSeconds", "0"),
            ("cardTimeoutSeconds", "601"), ("cardTimeoutSeconds", "-1"), ("cardTimeoutSeconds", "1.5"),
            ("cardTimeoutSeconds", #""60""#), ("hostTimeoutSeconds", "0"), ("hostTimeoutSeconds", "1e400"),
            ("hostTimeoutSeconds", "99999999999999999999"), ("hostTimeoutSeconds", "null"),
            ("hostTimeoutSeconds", "true"), ("merchantName", "[]"), ("merchantName", "{}"),
        ])
    func refused(key: String, value: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try Self.read(#"{"\#(key)":\#(value)}"#) }
        #expect(failure.status == .usage)
        #expect(
            failure.sentence
                == "The configuration file 'kiosk.json' has a key '\(key)' that is unknown or out of range.")
    }

    @Test("what is no JSON object is refused", arguments: ["", "[]", "1", "\"a\"", "{", "{\"gateway\"}", "null"])
    func notAnObject(json: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try Self.read(json) }
        #expect(failure.status == .usage)
        #expect(failure.sentence == "The configuration file 'kiosk.json' is not a JSON object.")
    }

    @Test("a file that is not there is told by its path")
    func missingFile() throws {
        let failure = try #require(throws: CommandFailure.self) { try Configuration.load("/nonexistent/kiosk.json") }
        #expect(failure.status == .usage)
        #expect(failure.sentence == "The configuration file '/nonexistent/kiosk.json' cannot be read.")
    }
}
