import Testing

@testable import Configuration

@Suite struct ProblemTests {
    static let wrong: [(json: String, line: String)] = [
        (#"{"merchantname":"A"}"#, "merchantname: there is no such key"),
        (#"{"":1}"#, "\"\": there is no such key"),
        (#"{"a.b\u001b":1}"#, "\"a.b\u{FFFD}\": there is no such key"),
        (#"{"version":2}"#, "version: 1 is expected, another number was given"),
        (#"{"version":"1"}"#, "version: 1 is expected, a text was given"),
        (#"{"gateway":"bank"}"#, #"gateway: one of ["simulator", "iso8583"] is expected, another text was given"#),
        (#"{"gateway":{}}"#, #"gateway.kind: one of ["simulator", "iso8583"] is expected, nothing was given"#),
        (#"{"gateway":"iso8583"}"#, "gateway.host: HOST:PORT is expected, nothing was given"),
        (
            #"{"gateway":{"kind":"iso8583","host":"a:1","profile":"cp500"}}"#,
            "gateway.profile: ascii, binary, bcd, ebcdic, or the path of a file, from / on, is expected, "
                + "another text was given"
        ),
        (
            #"{"gateway":{"kind":"iso8583","host":"a:1","framing":"4"}}"#,
            #"gateway.framing: one of ["binary-2", "ascii-4", "bcd-2"] is expected, another text was given"#
        ),
        (
            #"{"gateway":{"kind":"iso8583","host":"a:1","swapsAddresses":true}}"#,
            "gateway.swapsAddresses: a header of 5 bytes is expected beside true, 0 were given"
        ),
        (
            #"{"gateway":{"kind":"iso8583","host":"a:1","acquirer":"12a"}}"#,
            "gateway.acquirer: a text of 1 to 11 digits is expected, another text was given"
        ),
        (
            #"{"gateway":{"kind":"iso8583","host":"a:1","mac":"retail"}}"#,
            "gateway.macKeyFile: a key file is expected beside a mac, and none beside none"
        ),
        (
            #"{"gateway":{"kind":"iso8583","host":"a:1","tlsName":"bank.example"}}"#,
            "gateway.tlsAuthorityFile: a file is expected beside tlsName: without it there is no TLS"
        ),
        (
            #"{"gateway":{"kind":"iso8583","host":"a:1","tlsAuthorityFile":"/ca","tlsName":".example"}}"#,
            "gateway.tlsName: the name or address of a host is expected, another text was given"
        ),
        (
            #"{"gateway":{"kind":"iso8583","host":"a:1","tlsAuthorityFile":"/ca","tlsName":"*.example"}}"#,
            "gateway.tlsName: the name or address of a host is expected, another text was given"
        ),
        (#"{"gateway":{"kind":"simulator","port":1}}"#, "gateway.port: there is no such key"),
        (
            #"{"offline":{"enabled":true,"total":"1.00","count":1,"keyFile":"/k"}}"#,
            "offline.perSale: more than \"0.00\" is expected of a kiosk that approves offline"
        ),
        (
            #"{"offline":{"enabled":true,"perSale":"1.01","total":"1.00","count":1,"keyFile":"/k"}}"#,
            "offline.total: at least perSale is expected, less was given"
        ),
        (
            #"{"offline":{"enabled":true,"perSale":"1.00","total":"1.00","keyFile":"/k"}}"#,
            "offline.count: 1 to 1000 is expected of a kiosk that approves offline"
        ),
        (
            #"{"offline":{"enabled":true,"perSale":"1.00","total":"1.00","count":1}}"#,
            "offline.keyFile: the path of a file, from / on, is expected, nothing was given"
        ),
        (
            #"{"offline":{"waitHours":721}}"#,
            "offline.waitHours: a whole number of hours, 1 to 720, is expected, a number out of range was given"
        ),
        (#"{"merchantName":""}"#, "merchantName: a text of 1 to 100 characters is expected, 0 characters were given"),
        (
            #"{"merchantName":"a\u0000b"}"#,
            "merchantName: a text of 1 to 100 characters is expected, one with control characters was given"
        ),
        (#"{"merchantName":null}"#, "merchantName: a text of 1 to 100 characters is expected, null was given"),
        (
            #"{"merchantId":"READERKIT0000012"}"#,
            "merchantId: a text of 1 to 15 ASCII characters is expected, 16 characters were given"
        ),
        (
            #"{"merchantId":"Ñ"}"#,
            "merchantId: a text of 1 to 15 ASCII characters is expected, other characters were given"
        ),
        (
            #"{"merchantCategoryCode":"599"}"#,
            "merchantCategoryCode: a text of 4 digits is expected, 3 digits were given"
        ),
        (
            #"{"merchantCategoryCode":"٥٩"}"#,
            "merchantCategoryCode: a text of 4 digits is expected, other characters were given"
        ),
        (#"{"merchantCategoryCode":5999}"#, "merchantCategoryCode: a text of 4 digits is expected, a number was given"),
        (#"{"terminalId":"KIOSK01"}"#, "terminalId: a text of 8 ASCII characters is expected, 7 characters were given"),
        (
            #"{"cardTimeoutSeconds":0}"#,
            "cardTimeoutSeconds: a whole number of seconds, 1 to 600, is expected, a number out of range was given"
        ),
        (
            #"{"cardTimeoutSeconds":60.0}"#,
            "cardTimeoutSeconds: a whole number of seconds, 1 to 600, is expected, another number was given"
        ),
        (
            #"{"hostTimeoutSeconds":1e400}"#,
            "hostTimeoutSeconds: a whole number of seconds, 1 to 600, is expected, another number was given"
        ),
        (
            #"{"hostTimeoutSeconds":99999999999999999999}"#,
            "hostTimeoutSeconds: a whole number of seconds, 1 to 600, is expected, another number was given"
        ),
        (
            #"{"hostTimeoutSeconds":true}"#,
            "hostTimeoutSeconds: a whole number of seconds, 1 to 600, is expected, true or false was given"
        ),
        (#"{"terminal":[]}"#, "terminal: an object is expected, a list was given"),
        (
            #"{"terminal":{"country":"MX"}}"#,
            "terminal.country: an ISO 3166-1 numeric code as a text of three digits is expected, other characters were "
                + "given"
        ),
        (
            #"{"terminal":{"currency":"999"}}"#,
            "terminal.currency: an ISO 4217 code is expected, one of \"484\" (MXN), \"840\" (USD), \"978\" (EUR), "
                + "another text was given"
        ),
        (
            #"{"terminal":{"type":"27"}}"#,
            "terminal.type: a terminal type as 2 digits (Book 4, Annex A1) is expected, an undefined one was given"
        ),
        (
            #"{"terminal":{"capabilities":"6008"}}"#,
            "terminal.capabilities: 3 bytes as 6 hex digits are expected, 4 digits were given"
        ),
        (
            #"{"terminal":{"additionalCapabilities":"60000030 01"}}"#,
            "terminal.additionalCapabilities: 5 bytes as 10 hex digits are expected, other characters were given"
        ),
        (
            #"{"terminal":{"type":"25","velocityChecking":false}}"#,
            "terminal.velocityChecking: true is expected of a terminal that decides offline (type), false was given"
        ),
        (
            #"{"terminal":{"randomSelection":{"targetPercentage":9,"maximumTargetPercentage":8}}}"#,
            "terminal.randomSelection.maximumTargetPercentage: at least targetPercentage is expected, less was given"
        ),
        (
            #"{"terminal":{"applications":[]}}"#,
            "terminal.applications: a list of 1 to 100 elements is expected, 0 elements were given"
        ),
        (
            #"{"terminal":{"applications":[7]}}"#,
            "terminal.applications[0]: an object is expected, a number was given"
        ),
        (
            #"{"terminal":{"applications":[{}]}}"#,
            "terminal.applications[0].aid: 5 to 16 bytes as hex digits are expected, nothing was given"
        ),
        (
            #"{"terminal":{"applications":[{"aid":"A000000999"}]}}"#,
            "terminal.applications[0].version: 2 bytes as 4 hex digits are expected, nothing was given"
        ),
        (
            #"{"terminal":{"applications":[{"aid":"A0000000031010"},{"aid":"A0000000041010"},"#
                + #"{"aid":"A0000000043060","tacOnline":"CC000000"}]}}"#,
            "terminal.applications[2].tacOnline: 5 bytes as 10 hex digits are expected, 8 digits were given"
        ),
        (
            #"{"terminal":{"applications":[{"aid":"A0000000031010"},{"aid":"a0000000031010"}]}}"#,
            "terminal.applications[1].aid: an AID that the list does not have is expected, that of "
                + "terminal.applications[0] was given"
        ),
        (
            #"{"terminal":{"applications":[{"aid":"A0000000031010","floorLimit":"42949672.96"}]}}"#,
            "terminal.applications[0].floorLimit: an amount as text, \"0.00\" to \"42949672.95\", is expected, more was "
                + "given"
        ),
        (
            #"{"terminal":{"applications":[{"aid":"A0000000031010","floorLimit":"1.00","#
                + #""randomSelection":{"threshold":"1.01"}}]}}"#,
            "terminal.applications[0].randomSelection: a threshold of at most floorLimit is expected, more is in effect"
        ),
        (
            #"{"terminal":{"applications":[{"aid":"A0000000031010","defaultDDOL":"9F"}]}}"#,
            "terminal.applications[0].defaultDDOL: a data object list as hex digits is expected, hex digits that are "
                + "none were given"
        ),
        (
            #"{"terminal":{"certificationAuthorityKeys":"keys.json"}}"#,
            "terminal.certificationAuthorityKeys: \"test\" or the path of a key file, from / on, is expected, another "
                + "text was given"
        ),
        (
            #"{"terminal":{"revokedCertificates":[{"provider":"A000000003","index":"94"}]}}"#,
            "terminal.revokedCertificates[0].serial: 3 bytes as 6 hex digits are expected, nothing was given"
        ),
        (
            #"{"payments":{"partialApproval":"keep"}}"#,
            "payments.partialApproval: reverse or accept is expected, another text was given"
        ),
        (
            #"{"payments":{"magneticStripe":"always"}}"#,
            "payments.magneticStripe: never or fallback is expected, another text was given"
        ),
        (#"{"instalments":{"msi":{"4":"1.00"}}}"#, "instalments.msi.4: there is no such key"),
        (
            #"{"instalments":{"msi":{"3":300}}}"#,
            "instalments.msi.3: an amount as text, \"0.00\" to \"9999999999.99\", is expected, a number was given"
        ),
        (#"{"userToken":"s3cret-t0ken"}"#, "userToken: an object is expected, a text was given"),
        (
            #"{"userToken":{"userTokenFile":"s3cret-t0ken"}}"#,
            "userToken.userTokenFile: the path of a file, from / on, is expected, a text without / at its start was "
                + "given"
        ),
        (
            #"{"userToken":{"expires":"2027-12-31T23:59:59Z"}}"#,
            "userToken.userTokenFile: the path of a file, from / on, is expected, nothing was given"
        ),
        (
            #"{"userToken":{"userTokenFile":"/t","expires":"tomorrow"}}"#,
            "userToken.expires: a time of RFC 3339 is expected, such as \"2027-03-31T23:59:59-06:00\", another text was "
                + "given"
        ),
        (
            #"{"posCompat":"4.3"}"#,
            "posCompat: a version of three numbers is expected, such as \"4.3.24\", another text was given"
        ),
        (
            #"{"banner":{"seconds":61}}"#,
            "banner.seconds: a whole number, 0 to 60, is expected, a number out of range was given"
        ),
        (#"{"banner":{"text":"a","text":"b"}}"#, "banner.text: the key is there twice"),
        (#"{"banner":{},"banner":{}}"#, "banner: the key is there twice"),
    ]

    @Test("a mistake is told by its path, with what is expected", arguments: wrong)
    func mistakes(json: String, line: String) throws {
        #expect(try problems(json) == [line])
    }

    @Test(
        "reply targets that run code, read files or call ourselves are barred, and so is what is neither",
        arguments: [
            ("file", true), ("javascript", true), ("data", true), ("billpocket", true), ("http", true), ("https", true),
            ("MyApp", false), ("", false), ("9a", false), ("a b", false), ("myapp://", false), ("ftp://a", false),
            ("https://", false), ("https://a/b", false), ("https://A", false), ("https://a:0", false),
            ("https://a:65536", false), ("https://a:", false), ("https://a..b", false), ("https://-a", false),
            ("https://u@a", false),
        ])
    func replyTargets(text: String, isBarred: Bool) throws {
        let reason = isBarred ? "a barred one was given" : "another text was given"
        #expect(
            try problems(#"{"replySchemes":["a","\#(text)"]}"#) == [
                "replySchemes[1]: a lower-case scheme such as \"mystore\", or http or https with a host such as "
                    + "\"https://shop.example\", is expected, \(reason)"
            ])
    }

    @Test("all mistakes of a file are told together, from the first section to the last")
    func together() throws {
        let lines = try problems(
            #"{"banner":{"seconds":-1},"terminal":{"country":"000","kind":1},"merchantId":"","colour":"red"}"#)
        #expect(
            lines.map { $0.split(separator: ":")[0] } == [
                "merchantId", "terminal.country", "terminal.kind", "banner.seconds", "colour",
            ])
    }

    @Test("after twenty mistakes they are counted")
    func limit() throws {
        let elements = Array(repeating: "1", count: 55).joined(separator: ",")
        let error = try #require(throws: ConfigurationError.self) {
            try configuration(#"{"terminal":{"applications":[\#(elements)]}}"#)
        }
        #expect(error.problems.count == 20)
        #expect(error.furtherProblems == 35)
        #expect(error.lines.last == "and 35 more")
        #expect(error.description.split(separator: "\n").count == 21)
    }

    @Test("an unknown key is shortened, and what steers a terminal is taken out of it")
    func longKey() throws {
        let key = String(repeating: "k", count: 30) + "\u{202E}" + String(repeating: "é", count: 100_000)
        let lines = try problems(#"{"\#(key)":1}"#)
        let shown = String(repeating: "k", count: 30) + "\u{FFFD}" + String(repeating: "é", count: 9)
        #expect(lines == ["\"\(shown)…\": there is no such key"])
    }

    @Test("a secret in the place of any field of the example is never repeated")
    func silence() throws {
        let secret = "s3cr3t-\u{1F511}"
        let example = String(decoding: try Files.example(), as: UTF8.self)
        // What stands behind each colon, in turn, is replaced.
        let pieces = example.split(separator: ": ", omittingEmptySubsequences: false)
        var refused = 0
        for index in pieces.indices.dropFirst() {
            var changed = pieces.map(String.init)
            let value = pieces[index]
            guard value.first == "\"" || value.first?.isNumber == true else { continue }
            let end = value.dropFirst().firstIndex { $0 == "\"" || $0 == "," || $0 == "\n" } ?? value.endIndex
            let rest = value[end...]
            changed[index] = "\"\(secret)" + (rest.first == "\"" ? rest : "\"" + rest)
            let json = changed.joined(separator: ": ")
            do {
                _ = try configuration(json)
            } catch {
                refused += 1
                #expect(!error.description.contains(secret), "\(error)")
                #expect(error.problems.allSatisfy { !$0.path.isEmpty }, "\(error)")
            }
        }
        // Only the two names are free text.
        #expect(refused >= 40)
    }
}
