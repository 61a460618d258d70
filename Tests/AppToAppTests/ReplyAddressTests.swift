import Testing

@testable import AppToApp

@Suite struct ReplyAddressTests {
    private static func reply() throws -> AppReply { try AppReply(parsing: "x://result=aprobada&statusinfo=") }

    @Test(
        "every form of an address gets its reply",
        arguments: [
            ("myapp", "myapp://"), ("myapp:", "myapp://"), ("myapp://", "myapp://"), ("My.App+1-x", "My.App+1-x://"),
            ("https://kiosk.example/r", "https://kiosk.example/r?"), ("http://kiosk.example", "http://kiosk.example?"),
            ("https://kiosk.example/r?a=b", "https://kiosk.example/r?a=b&"),
            ("HTTPS://Kiosk.Example:8443/r%20x", "HTTPS://Kiosk.Example:8443/r%20x?"),
            ("http://[::1]:8080/", "http://[::1]:8080/?"),
        ])
    func forms(text: String, start: String) throws {
        #expect(try ReplyAddress(parsing: text).url(with: Self.reply()) == start + "result=aprobada&statusinfo=")
    }

    @Test(
        "schemes that must never be called are refused in every form and case",
        arguments: ["file", "javascript", "data", "billpocket"])
    func forbidden(scheme: String) {
        for text in [scheme, scheme + ":", scheme + "://", scheme.uppercased() + "://"] {
            #expect(throws: ReplyAddressError.forbidden) { try ReplyAddress(parsing: text) }
        }
    }

    @Test(
        "what is no plain address is refused",
        arguments: [
            "", ":", "://", "1app", "my app", "my_app", "ñapp", "myapp:/", "myapp://x", "myapp://x?y", "http", "https:",
            "https://", "https:///x", "https://user@kiosk.example/", "https://user:pw@kiosk.example/",
            "https://kiosk.example/#x", "https://kiosk.example\\@evil.example/", "https://kiosk.example/ x",
            "https://kiosk.example:/", "https://kiosk.example:0/", "https://kiosk.example:65536/",
            "https://kiosk.example:8x/", "https://ñ.example/", "https://[::1/", "https://[]/", "https://[::1]x/",
            "https://kiosk.example/%2", "https://kiosk.example/\n", "https://kiosk.example/\u{0}", "https://a b/",
            "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x",
        ])
    func refused(text: String) {
        #expect(throws: ReplyAddressError.self) { try ReplyAddress(parsing: text) }
    }

    @Test(
        "the allow-list decides by scheme, or by scheme, host and port",
        arguments: [
            ("myapp", true), ("MYAPP://", true), ("other", false), ("myapp2", false),
            ("https://shop.example/a?b", true), ("https://SHOP.example:443/a", true),
            ("https://shop.example:444/", false),
            ("http://shop.example/", false), ("https://shop.example.evil.test/", false),
            ("https://xshop.example/", false),
            ("http://127.0.0.1:8080/r", true), ("http://127.0.0.1/r", false),
        ])
    func allowList(text: String, isAllowed: Bool) throws {
        let list = try ReplyAllowList(["myapp", "https://shop.example", "http://127.0.0.1:8080"])
        #expect(list.allows(try ReplyAddress(parsing: text)) == isAllowed)
        #expect(!ReplyAllowList().allows(try ReplyAddress(parsing: text)))
    }

    @Test("every server of a kind, and entries that are none")
    func allowListEntries() throws {
        let list = try ReplyAllowList(["https", "app://"])
        #expect(list.allows(try ReplyAddress(parsing: "https://anything.example/")))
        #expect(!list.allows(try ReplyAddress(parsing: "http://anything.example/")))
        #expect(list.allows(try ReplyAddress(parsing: "app")))
        for entry in ["file", "", "https://a@b", "*"] {
            #expect(throws: ReplyAllowList.InvalidEntry.self) { try ReplyAllowList([entry]) }
        }
    }
}
