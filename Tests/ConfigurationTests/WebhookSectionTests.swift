import Crypto
import FoundationEssentials
import Glibc
import JSONText
import Testing

@testable import Configuration

/// The section `webhook`.
@Suite struct WebhookSectionTests {
    private func json(_ url: String) -> String {
        #"{"webhook":{"url":"\#(url)","keyId":"m-1","secretFile":"/s","since":"2026-01-01T00:00:00Z"}}"#
    }

    @Test("without it nobody is told")
    func absent() throws {
        #expect(try configuration("{}").webhook.receiver == nil)
        #expect(try configuration("{}").webhookSecret() == nil)
        #expect(try configuration(#"{"webhook":{}}"#).webhook.receiver == nil)
    }

    @Test("what is left out has its default; what is shown is read again as the same")
    func defaults() throws {
        let read = try configuration(json("https://a.example/hook"))
        let receiver = try #require(read.webhook.receiver)
        #expect(receiver.url == "https://a.example/hook" && receiver.keyID == "m-1" && receiver.secretFile == "/s")
        #expect(receiver.form == "kushki" && receiver.userID == 0 && receiver.authorityFile == nil)
        #expect(receiver.since.unixSeconds == 1_767_225_600)
        #expect(try configuration(read.document.compactText).webhook == read.webhook)
        #expect(try KioskConfiguration(json: Files.example()).webhook.receiver?.userID == 17)
    }

    @Test(
        "https to anybody, http to this machine only",
        arguments: [
            "https://a.example", "https://a.example:8443/x?y=z&a=%20", "https://A.Example/", "https://10.0.0.1/",
            "http://127.0.0.1:8080/x", "http://localhost", "http://[::1]:9/", "http://127.0.0.1?x",
        ])
    func addresses(url: String) throws {
        #expect(try configuration(json(url)).webhook.receiver?.url == url)
    }

    @Test(
        "every other address is refused, and not repeated",
        arguments: [
            "", "a.example", "ftp://a.example", "file:///etc/passwd", "https://", "https://:443/", "https:///x",
            "http://a.example/", "http://127.0.0.1.a.example/", "http://localhost.a.example/", "http://127.0.0.1@a/",
            "https://user:secret@a.example/", "https://a.example/#x", "https://a.example/ x", "https://a.example/\\n",
            "https://a.example:0/", "https://a.example:65536/", "http://127.0.0.1:/", "http://127.0.0.1:99999/",
            "https://a_b.example/", "https://ñ.example/", "HTTPS://a.example/", "https://a.example\\\\@b/",
        ])
    func refusedAddresses(url: String) throws {
        let found = try problems(json(url))
        #expect(
            found == [
                "webhook.url: an https address is expected, or an http one of this machine (127.0.0.1, [::1], "
                    + "localhost), another text was given"
            ])
    }

    @Test("a part of it is not enough, and a line break in the key id is refused")
    func incomplete() throws {
        let needed = ": it is needed beside the other keys, nothing was given"
        #expect(
            try problems(#"{"webhook":{"url":"https://a.example"}}"#)
                == ["keyId", "secretFile", "since"].map { "webhook.\($0)\(needed)" })
        #expect(
            try problems(#"{"webhook":{"userId":1}}"#)
                == ["url", "keyId", "secretFile", "since"].map { "webhook.\($0)\(needed)" })
        let broken = json("https://a.example").replacing("m-1", with: #"m\r\nX-Kushki-Key: other"#)
        #expect(
            try problems(broken) == [
                "webhook.keyId: a text of 1 to 128 ASCII characters is expected, other characters were given"
            ])
        #expect(try problems(#"{"webhook":{"form":"stripe"}}"#).first?.hasPrefix("webhook.form: ") == true)
    }
}
