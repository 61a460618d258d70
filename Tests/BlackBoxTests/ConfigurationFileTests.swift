import Foundation
import Glibc
import Testing

/// `--config`: what a sale does with the terminal's data, and the commands that check and show them.
@Suite(.blackBox) struct ConfigurationFileTests {
    private func write(_ json: String) throws -> String {
        let path = try Workbench.mine().path("kiosk.json")
        try Data(json.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func sale(_ amount: String, _ json: String, card: String = "visa-credit") async throws -> Ended {
        try await run(simulatedSale(amount, "--config", write(json), card: card))
    }

    private static let visa = #""aid":"A0000000031010""#

    @Test("a pipe, a device and a directory are refused at once: a kiosk must not wait for a writer")
    func noRegularFile() async throws {
        let pipe = try Workbench.mine().path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/dev/zero", try Workbench.mine().path("")] {
            for program in [simulatedSale("1.00", "--config", path), readerctl(["config", "check", "--config", path])] {
                let ended = try await run(program)
                #expect(ended.status == 2 && !ended.wasKilled)
                let told = ended.output + ended.errors
                #expect(told.contains("a regular file is expected, another was given"), "\(ended)")
            }
        }
    }

    @Test(
        "so are the files that the gateway needs",
        arguments: [
            "profile", "macKeyFile", "cardDataKeyFile", "tlsAuthorityFile",
        ])
    func noRegularFile(of key: String) async throws {
        let pipe = try Workbench.mine().path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let mac = key == "macKeyFile" ? #","mac":"retail""# : ""
        let json = #"{"gateway":{"kind":"iso8583","host":"127.0.0.1:1","\#(key)":"\#(pipe)"\#(mac)}}"#
        let ended = try await sale("1.00", json)
        #expect(ended.status == 2 && !ended.wasKilled)
        #expect(ended.errors == "gateway.\(key): a regular file is expected, another was given.\n")
        let path = try write(json)
        let check = try await run("config", "check", "--config", path)
        #expect(check.status == 2 && !check.wasKilled)
        #expect(check.output.contains("gateway.\(key): a regular file is expected, another was given"), "\(check)")
    }

    @Test("the merchant of the file is on the receipt")
    func merchant() async throws {
        let ended = try await sale("100.00", #"{"merchantName":"Cinco & Diez","terminalId":"T0000007"}"#)
        #expect(ended.status == 0)
        let receipt = try await run("receipt", ended.text("transactionid"))
        #expect(receipt.output.contains("Cinco & Diez"))
        #expect(receipt.output.contains("T0000007"))
    }

    @Test(
        "another country or currency than Mexico's is refused",
        arguments: [
            (
                #"{"terminal":{"country":"840"}}"#,
                #"terminal.country: payments are taken in Mexico only: "484" is expected, "840" was given."#
            ),
            (
                #"{"terminal":{"currency":"USD"}}"#,
                "terminal.currency: payments are taken in Mexican pesos only: \"484\" (MXN) is expected, \"840\" (USD) "
                    + "was given."
            ),
        ])
    func elsewhere(json: String, sentence: String) async throws {
        let ended = try await sale("1.00", json)
        expectWrongName(ended)
        let path = try Workbench.mine().path("kiosk.json")
        #expect(ended.errors.hasPrefix("The configuration file '\(path)' cannot be used: \(sentence)\n"))
        #expect(try await run("transactions", "--json").output == "{\"transactions\":[]}\n")
    }

    @Test("a terminal action code makes the card decline offline: the issuer is not asked")
    func denial() async throws {
        // Floor limit exceeded (TVR byte 4, bit 8), which a limit of zero always is.
        let denied = try await sale(
            "100.00", #"{"terminal":{"applications":[{\#(Self.visa),"tacDenial":"0000008000"}]}}"#)
        #expect(denied.status == 5)
        #expect(try denied.text("outcome") == "declined")
        #expect(try denied.text("authorization") == "")
        #expect(try denied.text("arqc") == "", "an AAC is no ARQC")
        // With a higher limit the bit is not set, and the payment goes on.
        let raised = try await sale(
            "100.00",
            #"{"terminal":{"applications":[{\#(Self.visa),"tacDenial":"0000008000","floorLimit":"100.01"}]}}"#)
        #expect(raised.status == 0)
        #expect(try raised.text("arqc").count == 16)
    }

    @Test("the floor limit is met by amount and tip together")
    func floorLimit() async throws {
        let json = #"{"terminal":{"applications":[{\#(Self.visa),"tacDenial":"0000008000","floorLimit":"50.00"}]}}"#
        let path = try write(json)
        let below = try await run(simulatedSale("39.99", "--tip", "10.00", "--config", path))
        #expect(below.status == 0)
        let reached = try await run(simulatedSale("39.99", "--tip", "10.01", "--config", path))
        #expect(reached.status == 5)
        #expect(try reached.text("arqc") == "", "the card was asked for an AAC")
    }

    @Test("a card of an application that is not listed is not accepted")
    func notListed() async throws {
        let json = #"{"terminal":{"applications":[{"aid":"A0000000041010"}]}}"#
        let visa = try await sale("100.00", json)
        #expect(visa.status == 5)
        #expect(try visa.text("outcome") == "failed")
        #expect(try visa.text("aid") == "")
        let mastercard = try await sale("100.00", json, card: "mastercard-debit")
        #expect(mastercard.status == 0)
    }

    @Test("without partial selection a card's longer name is not accepted")
    func partialSelection() async throws {
        func outcome(_ isAllowed: Bool) async throws -> String {
            let entry = #""aid":"A000000003","version":"008C","partialSelection":\#(isAllowed)"#
            return try await sale("100.00", #"{"terminal":{"applications":[{\#(entry)}]}}"#).text("outcome")
        }
        #expect(try await outcome(true) == "approved")
        #expect(try await outcome(false) == "failed")
    }

    @Test("several mistakes are told together, each on its line, and nothing is done")
    func mistakes() async throws {
        let json =
            #"{"merchantId":"","userToken":"s3cr3t","#
            + #""terminal":{"applications":[{\#(Self.visa),"tacOnline":"CC000000"}]}}"#
        let ended = try await sale("1.00", json)
        #expect(ended.status == 2)
        #expect(ended.output == "")
        let path = try Workbench.mine().path("kiosk.json")
        #expect(
            ended.errors.split(separator: "\n") == [
                "The configuration file '\(path)' cannot be used:",
                "  merchantId: a text of 1 to 15 ASCII characters is expected, 0 characters were given",
                "  terminal.applications[0].tacOnline: 5 bytes as 10 hex digits are expected, 8 digits were given",
                "  userToken: an object is expected, a text was given",
            ])
        #expect(!FileManager.default.fileExists(atPath: try Workbench.mine().data))
    }

    @Test("hostile files end with a sentence and 2, whatever the command")
    func hostile() async throws {
        let texts = [
            "", "\u{0}", "nul", "{\"a\":\"\\ud800\"}", String(repeating: "{\"a\":[", count: 50_000),
            "{\"cardTimeoutSeconds\":1e99999}", String(repeating: " ", count: 1 << 20) + "{}",
        ]
        for text in texts {
            let path = try write(text)
            expectWrongName(try await run("sale", "--simulate", "visa-credit", "--amount", "1.00", "--config", path))
            #expect(try await run("config", "show", "--config", path).status == 2)
            let checked = try await run("config", "check", "--json", "--config", path)
            #expect(checked.status == 2)
            #expect(try checked.list("findings").count == 1)
        }
    }

    @Test("config check names each missing setting, and is content when there is none")
    func check() async throws {
        let path = try write("{}")
        let bare = try await run("config", "check", "--config", path)
        #expect(bare.status == 2)
        #expect(bare.errors == "")
        #expect(
            bare.output == """
                configuration: \(path)
                missing  merchantName: missing: the merchant's name on receipts
                missing  merchantId: missing: the merchant's number with the acquirer, tag 9F16
                missing  merchantCategoryCode: missing: the merchant category code, tag 9F15
                missing  terminalId: missing: this terminal's number with the acquirer, tag 9F1C
                missing  userToken.userTokenFile: missing: the file with the user token of app-to-app requests
                missing  replySchemes: missing: to which schemes and hosts app-to-app requests may be answered
                note  gateway: the simulator is in use: no money moves
                note  terminal.certificationAuthorityKeys: the test keys are in use: real cards fail with them
                not ready

                """)
        let token = try Workbench.mine().path("token")
        try Data("s3cr3t-t0ken\n".utf8).write(to: URL(fileURLWithPath: token))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token)
        let complete = try write(
            """
            {"merchantName":"A","merchantId":"B","merchantCategoryCode":"5814","terminalId":"T0000001",
             "userToken":{"userTokenFile":"\(token)"},"replySchemes":["a"]}
            """)
        let ended = try await run("config", "check", "--json", "--config", complete)
        #expect(ended.status == 0)
        #expect(
            ended.output
                == #"{"file":"\#(complete)","ok":true,"findings":[{"severity":"note","path":"gateway","message":"#
                + #""the simulator is in use: no money moves"},{"severity":"note","#
                + #""path":"terminal.certificationAuthorityKeys","message":"the test keys are in use: real cards fail "#
                + #"with them"}]}"# + "\n")
        for words in [["check"], ["show"], ["show", "--json"]] {
            let shown = try await run(readerctl(["config"] + words + ["--config", complete]))
            #expect(!(shown.output + shown.errors).contains("s3cr3t"))
        }
    }

    @Test("config check opens every file that is named, and says which cannot be used")
    func files() async throws {
        let bench = try Workbench.mine()
        let bad = bench.path("bad")
        try Data("s3cr3t\u{1}".utf8).write(to: URL(fileURLWithPath: bad))
        chmod(bad, 0o600)
        func json(_ file: String) -> String {
            """
            {"gateway":{"kind":"iso8583","host":"a:1","profile":"\(file)","tlsAuthorityFile":"\(file)","mac":"retail",
              "macKeyFile":"\(file)","cardDataKeyFile":"\(file)"},
             "terminal":{"certificationAuthorityKeys":"\(file)"},"userToken":{"userTokenFile":"\(file)"},
             "banner":{"imageFile":"\(file)"},
             "webhook":{"url":"https://a.example/","keyId":"m","secretFile":"\(file)","since":"2026-01-01T00:00:00Z",
              "authorityFile":"\(file)"}}
            """
        }
        let named = [
            "banner.imageFile", "gateway.cardDataKeyFile", "gateway.macKeyFile", "gateway.profile",
            "gateway.tlsAuthorityFile", "terminal.certificationAuthorityKeys", "userToken.userTokenFile",
            "webhook.authorityFile", "webhook.secretFile",
        ]
        for (file, wrong) in [(bench.path("none"), named), (bad, named.filter { $0 != "banner.imageFile" })] {
            let checked = try await run("config", "check", "--json", "--config", write(json(file)))
            #expect(checked.status == 2)
            let findings = try checked.list("findings").filter { $0["severity"] as? String == "wrong" }
            #expect(findings.compactMap { $0["path"] as? String }.sorted() == wrong)
            #expect(findings.allSatisfy { ($0["message"] as? String)?.isEmpty == false })
            #expect(!checked.output.contains("s3cr3t") && !checked.output.contains("/none"))
        }
    }

    @Test("config show gives what is in effect; its JSON is a configuration that shows the same")
    func show() async throws {
        let path = try write(#"{"merchantName":"Cinco & Diez","terminal":{"type":"25"}}"#)
        let text = try await run("config", "show", "--config", path)
        #expect(text.status == 0)
        for (field, value) in [
            ("merchantName", #""Cinco & Diez""#), ("terminal.type", #""25""#), ("terminal.country", #""484""#),
            ("terminal.applications[0].aid", #""A0000000031010""#), ("instalments.msi.12", #""0.00""#),
            ("banner.seconds", "0"),
        ] {
            #expect(
                text.output.split(separator: "\n").contains { $0.hasPrefix(field + " ") && $0.hasSuffix(" " + value) },
                "\(field)")
        }
        let json = try await run("config", "show", "--json", "--config", path)
        let again = try await run("config", "show", "--json", "--config", write(json.output))
        #expect(again.status == 0)
        #expect(again.output == json.output)
    }

    @Test(
        "config wants to be told what to do", arguments: [["config"], ["config", "edit"], ["config", "check", "it"]])
    func usage(arguments: [String]) async throws {
        expectUsageError(try await run(readerctl(arguments)))
    }
}
