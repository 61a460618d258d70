import JSONText
import Money
import Payments
import Testing

@testable import AppToApp

@Suite struct ReplyTests {
    private static func approved(_ call: AppCall) -> PaymentResponse {
        var response = PaymentResponse(outcome: .approved)
        response.amount = Amount(minorUnits: 10_000, currency: .mxn)
        response.tip = Amount(minorUnits: 1_500, currency: .mxn)
        response.transactionID = "01M8N3RZ22PMK8CYZ1BD9NJRBF"
        response.instalments = .six
        response.authorization = "123456"
        response.creditCard = "0119"
        response.cardType = "VISA"
        response.arqc = "0011223344556677"
        response.aid = "A0000000031010"
        response.applicationLabel = "VISA CREDIT"
        response.url = "01M8N3RZ22PMK8CYZ1BD9NJRBF"
        response.bank = "Banco"
        response.accountType = "credit"
        response.name = "TEST CARDHOLDER/ONE"
        return response
    }

    private static let more = [
        ("tip", "15.00"), ("msi", "6"), ("reference", "Mesa 7 & café #5 (100%)/@"), ("email", "a+b@example.com"),
        ("phone", "5512345678"),
    ]

    @Test("an approved reply has every property, in the document's order, byte for byte")
    func golden() throws {
        let call = try Requests.read(Requests.sale + Self.more)
        let reply = AppReply(Self.approved(call), to: call)
        let address = try #require(call.replyAddress)
        #expect(
            address.url(with: reply)
                == "myapp://result=aprobada&statusinfo=&amount=100.00&tip=15.00"
                + "&reference=Mesa%207%20%26%20caf%C3%A9%20%235%20%28100%25%29%2F%40"
                + "&transactionid=01M8N3RZ22PMK8CYZ1BD9NJRBF&msi=6&authorization=123456&creditcard=0119&cardtype=VISA"
                + "&email=a%2Bb%40example.com&phone=5512345678&arqc=0011223344556677&aid=A0000000031010"
                + "&applabel=VISA%20CREDIT&url=01M8N3RZ22PMK8CYZ1BD9NJRBF&identifier=id-1&bank=Banco&accountType=credit"
                + "&name=TEST%20CARDHOLDER%2FONE&bp_version=\(ProductVersion.text)")
    }

    @Test("what was not sent and what is not known is left out")
    func leftOut() throws {
        let call = try Requests.read(Requests.sale)
        var response = Self.approved(call)
        response.tip = .zero(.mxn)
        response.instalments = .single
        // A magnetic stripe has none of these.
        for path in [\PaymentResponse.arqc, \.aid, \.applicationLabel, \.bank] { response[keyPath: path] = "" }
        let keys = AppReply(response, to: call).fields.map(\.key.rawValue)
        #expect(
            keys == [
                "result", "statusinfo", "amount", "transactionid", "msi", "authorization", "creditcard", "cardtype",
                "url",
                "identifier", "accountType", "name", "bp_version",
            ])
    }

    @Test("declined and error replies echo what was sent")
    func echo() throws {
        let call = try Requests.read(Requests.sale + Self.more)
        for (outcome, info, result) in [
            (PaymentOutcome.declined, StatusInfo.issuerDeclined(code: "05", text: "Rechazada"), "rechazada"),
            (.cancelled, .cancelled, "error"), (.expired, .expired, "error"), (.failed, .readerMissing, "error"),
        ] {
            var response = PaymentResponse(outcome: outcome)
            response.statusInfo = info
            let reply = AppReply(response, to: call)
            #expect(reply[.result] == result)
            #expect(reply[.statusinfo] == info.text)
            for (key, value) in Self.more {
                #expect(reply[try #require(ReplyKey(rawValue: key))] == (key == "msi" ? "0" : value))
            }
            #expect(reply[.amount] == "100.00" && reply[.identifier] == "id-1" && reply[.outcome] == nil)
        }
    }

    @Test("a cancelled reply as the original writes its text")
    func cancelled() throws {
        let call = try Requests.read(Requests.sale)
        var response = PaymentResponse(outcome: .cancelled)
        response.statusInfo = .cancelled
        #expect(
            AppReply(response, to: call).query.hasPrefix(
                "result=error&statusinfo=La%20transacci%C3%B3n%20fue%20cancelada&amount=100.00"))
    }

    @Test("an unknown outcome is an error that says so")
    func unknown() throws {
        let call = try Requests.read(Requests.sale)
        var response = PaymentResponse(outcome: .unknown)
        response.statusInfo = .unknown
        let query = AppReply(response, to: call).query
        #expect(query.hasPrefix("result=error&statusinfo=Resultado%20desconocido%2C%20en%20verificaci%C3%B3n&"))
        #expect(query.hasSuffix("&outcome=unknown"))
    }

    @Test("a refund's reply has its amount, and neither tip nor months")
    func refund() throws {
        let call = try Requests.read(Requests.refund + [("tip", "1.00"), ("reference", "r")])
        var response = Self.approved(call)
        response.tip = .zero(.mxn)
        let reply = AppReply(response, to: call)
        #expect(reply[.amount] == "100.00" && reply[.identifier] == "id-2")
        for key in [ReplyKey.tip, .msi, .reference] { #expect(reply[key] == nil) }
    }

    @Test("a refused request is answered with what it sent, and nothing of the token")
    func refused() throws {
        let call = try Requests.read(Requests.changed(Requests.sale, "amount", "1e2") + Self.more)
        let reply = AppReply(try #require(call.problem), to: call)
        #expect(
            reply.query
                == "result=error&statusinfo=El%20par%C3%A1metro%20amount%20no%20es%20v%C3%A1lido&amount=1e2&tip=15.00"
                + "&reference=Mesa%207%20%26%20caf%C3%A9%20%235%20%28100%25%29%2F%40&email=a%2Bb%40example.com"
                + "&phone=5512345678&identifier=id-1&bp_version=\(ProductVersion.text)")
    }

    @Test("the JSON has the same fields in the same order, the months as a number")
    func json() throws {
        let call = try Requests.read(Requests.sale + Self.more)
        let reply = AppReply(Self.approved(call), to: call)
        guard case .object(let members) = reply.jsonValue else {
            Issue.record("no object")
            return
        }
        #expect(members.map(\.key) == reply.fields.map(\.key.rawValue))
        for (member, field) in zip(members, reply.fields) {
            #expect(member.value == (field.key == .msi ? .integer(6) : .string(field.value)))
        }
    }

    @Test("identifiers go back byte for byte", arguments: ["e\u{301}", "é", " a ", "\u{0}", "100%", "a=b&c", "😀"])
    func identifier(text: String) throws {
        let call = try Requests.read(Requests.changed(Requests.sale, "identifier", text))
        let reply = AppReply(Self.approved(call), to: call)
        #expect(reply[.identifier].map { Array($0.utf8) } == Array(text.utf8))
        #expect(reply.query.contains("&identifier=\(PercentCoding.encode(text))&"))
    }

    // MARK: Reading replies

    @Test("the vendor's example reply is read")
    func example() throws {
        let reply = try AppReply(
            parsing: "myapp://result=aprobada&statusinfo=&amount=100.00&tip=15.00&reference=Mesa%207&transactionid=123")
        #expect(reply.result == .approved)
        #expect(reply[.statusinfo] == "" && reply[.amount] == "100.00" && reply[.tip] == "15.00")
        #expect(reply[.reference] == "Mesa 7" && reply[.transactionid] == "123" && reply[.arqc] == nil)
    }

    @Test(
        "any order, any case of the result, pieces without a value, unknown keys, a question mark: the same reply",
        arguments: [
            "myapp://result=Aprobada&tip=15.00&amount=100.00", "myapp://?amount=100.00&tip=15.00&result=APROBADA",
            "myapp://amount=100.00&statusinfo&&captureMode=chip&x&tip=15.00&result=aprobada&=&result",
            "https://kiosk.example/r?result=aprobada&amount=100.00&tip=15.00&arqc=&msi=",
            "myapp://result=aprobada&usertoken=secret&userToken=secret&amount=100.00&tip=15.00",
        ])
    func liberal(text: String) throws {
        let reply = try AppReply(parsing: text)
        #expect(reply.fields.map(\.key) == [.result, .amount, .tip])
        #expect(reply.query == "result=aprobada&amount=100.00&tip=15.00")
        #expect(!"\(reply)".contains("secret"))
    }

    @Test("what says no result, or is broken, is an error")
    func unreadable() {
        for text in ["myapp://", "myapp://amount=1.00", "myapp://result=quizás", "myapp://result", "myapp://result="] {
            #expect(throws: AppReplyError.noResult) { try AppReply(parsing: text) }
        }
        #expect(throws: AppReplyError.encoding(.brokenEscape)) { try AppReply(parsing: "myapp://result=error&a=%") }
        #expect(throws: AppReplyError.text(.noScheme)) { try AppReply(parsing: "result=error") }
    }
}
