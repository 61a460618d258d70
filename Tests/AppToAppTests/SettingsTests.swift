import Payments
import Testing

@testable import AppToApp

@Suite struct SettingsTests {
    private static func settings() throws -> AppToAppSettings {
        var settings = AppToAppSettings()
        settings.userTokens = [try #require(UserToken("another")), try #require(UserToken(Requests.token))]
        settings.replies = try ReplyAllowList(["myapp"])
        return settings
    }

    private static func objection(
        _ settings: AppToAppSettings, _ pairs: [(String, String)] = Requests.sale, now: Int64 = 0
    ) throws -> AppProblem? {
        settings.objection(to: try Requests.read(pairs).request.get(), now: now)
    }

    @Test("a known token is taken, whichever of several it is")
    func known() throws {
        #expect(try Self.objection(Self.settings()) == nil)
    }

    @Test(
        "an unknown token is not valid: shorter, longer, in another case",
        arguments: ["K3uW9-token-of-test", "K3uW9-token-of-tests2", "k3uw9-token-of-tests", "x"])
    func unknown(token: String) throws {
        let problem = try Self.objection(Self.settings(), Requests.changed(Requests.sale, "usertoken", token))
        #expect(problem?.statusInfo == .invalidToken)
        #expect(problem?.statusInfo.text == "El usertoken no es válido")
    }

    @Test("without a configured token nothing is taken, and the sentence says what to configure")
    func none() throws {
        let problem = try Self.objection(AppToAppSettings())
        #expect(problem?.statusInfo == .invalidToken)
        #expect(problem?.sentence.contains("userTokenFile") == true)
    }

    @Test("a token is good until the millisecond before it expires")
    func expiry() throws {
        var settings = try Self.settings()
        settings.expires = 1000
        #expect(try Self.objection(settings, now: 999) == nil)
        #expect(try Self.objection(settings, now: 1000)?.statusInfo == .invalidToken)
    }

    @Test("a reply address that is not allowed is refused")
    func address() throws {
        let problem = try Self.objection(Self.settings(), Requests.changed(Requests.sale, "urlScheme", "other"))
        #expect(problem?.statusInfo == .invalidField("urlScheme"))
        #expect(problem?.sentence.contains("replySchemes") == true)
    }

    @Test(
        "refunds need level 4.3.24",
        arguments: [("4.3.24", true), ("4.3.23", false), ("4.10.0", true), ("3.99.99", false)])
    func compatibility(level: String, isOffered: Bool) throws {
        var settings = try Self.settings()
        settings.compatibility = try #require(CompatibilityLevel(level))
        let problem = try Self.objection(settings, Requests.refund)
        #expect((problem == nil) == isOffered)
        if !isOffered { #expect(problem?.kind == .rule && problem?.statusInfo == .invalidField("transaction")) }
        #expect(try Self.objection(settings) == nil)
    }

    @Test("a level is three numbers", arguments: ["4.3", "4.3.24.1", "4.3.x", "", "4..3", "-4.3.2", "4.3.1234567"])
    func badLevels(text: String) {
        #expect(CompatibilityLevel(text) == nil)
    }

    @Test("a wrong token hides every other objection")
    func tokenFirst() throws {
        var settings = try Self.settings()
        settings.compatibility = try #require(CompatibilityLevel("1.0.0"))
        let problem = try Self.objection(settings, Requests.changed(Requests.refund, "usertoken", "x"))
        #expect(problem?.statusInfo == .invalidToken)
    }
}
