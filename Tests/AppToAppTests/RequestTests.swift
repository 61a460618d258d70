import Money
import Payments
import Testing

@testable import AppToApp

@Suite struct RequestTests {
    @Test("a sale with everything is read")
    func fullSale() throws {
        let more = [
            ("tip", "15.00"), ("msi", "6"), ("reference", "Mesa 7 & % # ( ) / @ salón"), ("email", "a@example.com"),
            ("phone", "5512345678"), ("showPhotoButton", "true"), ("mandatoryPhoto", "true"), ("comesFromQR", "true"),
        ]
        let call = try Requests.read(Requests.sale + more)
        let sale = try #require(call.sale)
        #expect(sale.request.amount.description == "100.00" && sale.request.total.description == "115.00")
        #expect(sale.request.instalments == .six)
        let details = sale.request.details
        #expect(details.identifier == "id-1" && details.reference == "Mesa 7 & % # ( ) / @ salón")
        #expect(details.email == "a@example.com" && details.phone == "5512345678")
        #expect(sale.showPhotoButton && sale.mandatoryPhoto && sale.comesFromQR)
        #expect(call.replyAddress == .app(scheme: "myapp"))
        #expect(call.ignored.isEmpty)
    }

    @Test("a sale with the least has its defaults")
    func leastSale() throws {
        let sale = try #require(try Requests.read(Requests.sale).sale)
        #expect(sale.request.instalments == .single && sale.request.tip.isZero)
        #expect(!sale.showPhotoButton && !sale.mandatoryPhoto && !sale.comesFromQR)
    }

    @Test("a refund is read, with and without an amount", arguments: [nil, "40.00"])
    func refund(amount: String?) throws {
        let call = try Requests.read(Requests.changed(Requests.refund, "amount", amount))
        guard case .success(let request) = call.request, case .refund(let refund) = request.operation else {
            Issue.record("\(call.request)")
            return
        }
        #expect(refund.transactionID == "01M8N3RZ22PMK8CYZ1BD9NJRBF")
        #expect(refund.amount?.description == amount)
        #expect(refund.details.identifier == "id-2")
    }

    @Test("each required key removed, or empty, is missing by its name")
    func required() throws {
        for base in [Requests.sale, Requests.refund] {
            for (key, _) in base {
                for value in [nil, ""] {
                    let problem = try Requests.problem(Requests.changed(base, key, value))
                    #expect(problem?.statusInfo == .missingField(key), "\(key)")
                    #expect(problem?.statusInfo.text == "Falta el parámetro \(key)")
                    #expect(problem?.kind == .invalidRequest)
                }
            }
        }
    }

    @Test(
        "the operation is exact", arguments: ["Venta", "VENTA", "devolución", "Devolucion", "venta ", "sale", "ventas"])
    func operation(text: String) throws {
        let problem = try Requests.problem(Requests.changed(Requests.sale, "transaction", text))
        #expect(problem?.statusInfo == .invalidField("transaction"))
        #expect(problem?.statusInfo.text == "El parámetro transaction no es válido")
    }

    @Test("a token under another case of its name is missing", arguments: ["userToken", "UserToken", "usertokeN"])
    func tokenName(name: String) throws {
        let pairs = Requests.changed(Requests.sale, "usertoken", nil) + [(name, Requests.token)]
        let call = try Requests.read(pairs)
        #expect(call.problem?.statusInfo == .missingField("usertoken"))
        #expect(call.ignored == [name])
    }

    static let boundaries: [(String, Int)] = [
        ("identifier", 256), ("reference", 256), ("email", 150), ("phone", 14), ("urlScheme", 50),
    ]

    @Test("both sides of each limit, counted in Unicode scalars", arguments: boundaries)
    func limits(key: String, limit: Int) throws {
        let letters = key == "urlScheme" ? ["x"] : ["x", "é", "😀", "e\u{301}"]
        for letter in letters {
            let size = letter.unicodeScalars.count
            let longest = String(repeating: letter, count: limit / size)
            let fitting = try Requests.read(Requests.changed(Requests.sale, key, longest))
            #expect(fitting.sale != nil, "\(key) \(letter)")
            let problem = try Requests.problem(Requests.changed(Requests.sale, key, longest + "x"))
            #expect(problem?.statusInfo == .invalidField(key), "\(key) \(letter)")
        }
        #expect(try Requests.problem(Requests.changed(Requests.sale, key, "x")) == nil)
    }

    @Test("a web address of 50 characters is taken and one of 51 is not")
    func webAddressLimit() throws {
        let longest = "https://kiosk.example/" + String(repeating: "r", count: 28)
        #expect(longest.count == 50)
        #expect(try Requests.problem(Requests.changed(Requests.sale, "urlScheme", longest)) == nil)
        #expect(
            try Requests.problem(Requests.changed(Requests.sale, "urlScheme", longest + "r"))?.statusInfo
                == .invalidField("urlScheme"))
    }

    static let badAmounts = [
        "100", "100.0", "100.001", "-1.00", "+1.00", "1e2", "1,00", "١٠٠.٠٠", " 1.00", "1.00 ", ".50", "12345678901.00",
        "0x1.00", "NaN",
    ]

    @Test("amount and tip have digits, a point and two decimals", arguments: badAmounts)
    func amountGrammar(text: String) throws {
        for key in ["amount", "tip"] {
            let problem = try Requests.problem(Requests.changed(Requests.sale, key, text))
            #expect(problem?.statusInfo == .invalidField(key), "\(key)")
        }
        let problem = try Requests.problem(Requests.changed(Requests.refund, "amount", text))
        #expect(problem?.statusInfo == .invalidField("amount"))
    }

    @Test("the least and the largest amounts")
    func amountLimits() throws {
        for (key, text, isGood) in [
            ("amount", "0.00", false), ("amount", "0.01", true), ("amount", "9999999999.99", true),
            ("tip", "0.00", true), ("tip", "9999999899.99", true), ("tip", "9999999900.00", false),
        ] {
            let problem = try Requests.problem(Requests.changed(Requests.sale, key, text))
            #expect((problem == nil) == isGood, "\(key) \(text)")
            if !isGood { #expect(problem?.statusInfo == .invalidField(key)) }
        }
        #expect(
            try Requests.problem(Requests.changed(Requests.refund, "amount", "0.00"))?.statusInfo
                == .invalidField("amount"))
    }

    @Test("months are 0, 3, 6, 9 or 12, also under their old name")
    func months() throws {
        for key in ["msi", "payments"] {
            for months in [0, 3, 6, 9, 12] {
                let sale = try Requests.read(Requests.changed(Requests.sale, key, String(months))).sale
                #expect(sale?.request.instalments.rawValue == months)
            }
            for text in ["1", "5", "18", "03", "+3", "3.0", "-3", "tres"] {
                let problem = try Requests.problem(Requests.changed(Requests.sale, key, text))
                #expect(problem?.statusInfo == .invalidField("msi"), "\(key)=\(text)")
            }
        }
        // The old name counts only when the new one is absent.
        let both = try Requests.read(Requests.sale + [("payments", "12"), ("msi", "3")])
        #expect(both.sale?.request.instalments == .three)
        #expect(both.ignored == ["payments"])
        #expect(
            try Requests.read(Requests.sale + [("payments", "12"), ("msi", "")]).sale?.request.instalments == .twelve)
    }

    @Test("flags are true or false", arguments: ["showPhotoButton", "mandatoryPhoto", "comesFromQR"])
    func flags(key: String) throws {
        for text in ["True", "1", "yes", "sí"] {
            let problem = try Requests.problem(Requests.changed(Requests.sale, key, text))
            #expect(problem?.statusInfo == .invalidField(key))
        }
        #expect(try Requests.problem(Requests.changed(Requests.sale, key, "false")) == nil)
    }

    @Test("a mandatory photo needs the button")
    func mandatoryWithoutButton() throws {
        for more in [[("mandatoryPhoto", "true")], [("mandatoryPhoto", "true"), ("showPhotoButton", "false")]] {
            #expect(try Requests.problem(Requests.sale + more)?.statusInfo == .invalidField("mandatoryPhoto"))
        }
    }

    @Test("the sale to refund is also named by the old key, and by nothing else")
    func oldTransactionID() throws {
        let old = Requests.changed(Requests.refund, "transactionId", nil)
        #expect(try Requests.problem(old + [("transactionid", "X")]) == nil)
        #expect(try Requests.problem(old + [("TransactionId", "X")])?.statusInfo == .missingField("transactionId"))
    }

    @Test("what does not apply to a refund is ignored, however wrong, and recorded by name")
    func notApplicable() throws {
        let more = [
            ("tip", "x"), ("msi", "5"), ("reference", String(repeating: "r", count: 300)), ("email", "e"),
            ("phone", "p"),
            ("showPhotoButton", "maybe"), ("mandatoryPhoto", "true"), ("comesFromQR", "?"),
        ]
        let call = try Requests.read(Requests.refund + more)
        #expect(call.problem == nil)
        #expect(call.ignored == more.map(\.0))
        #expect(call.echo.keys.sorted { $0.rawValue < $1.rawValue } == [.identifier])
        let sale = try Requests.read(Requests.sale + [("transactionId", "X")])
        #expect(sale.sale != nil && sale.ignored == ["transactionId"])
    }

    @Test("keys of public apps and unknown keys are ignored and kept by name only")
    func unknownKeys() throws {
        let keys = RequestProperty.knownWithoutMeaning + ["somethingElse"]
        let call = try Requests.read(Requests.sale + keys.map { ($0, "secret value") })
        #expect(call.sale != nil)
        #expect(call.ignored == keys)
        #expect(!"\(call)".contains("secret value"))
    }

    @Test("names that are kept are few, short and plain")
    func hostileNames() throws {
        let many = (0..<1000).map { ("k\($0)", "v") }
        #expect(try Requests.read(Requests.sale + many).ignored.count == 32)
        let odd = [
            (String(repeating: "k", count: 65), "v"), ("k\n", "v"), ("", "v"), ("ñ", "v"), (Requests.token, "v"),
        ]
        #expect(try Requests.read(Requests.sale + odd).ignored.isEmpty)
    }

    @Test("a PIN is refused, an empty one is absent")
    func pin() throws {
        #expect(try Requests.problem(Requests.sale + [("pin", "1234")])?.statusInfo == .invalidField("pin"))
        #expect(try Requests.problem(Requests.sale + [("pin", "")]) == nil)
    }

    @Test("a repeated key with another value is refused, with the same value not")
    func repeated() throws {
        for (key, value) in Requests.sale {
            #expect(try Requests.problem(Requests.sale + [(key, value)]) == nil, "\(key)")
            let call = try Requests.read(Requests.sale + [(key, "other")])
            #expect(call.problem?.statusInfo == .invalidField(key), "\(key)")
            #expect((call.replyAddress == nil) == (key == "urlScheme"))
        }
        #expect(try Requests.problem(Requests.sale + [("x", "1"), ("x", "2")])?.statusInfo == .invalidField("x"))
        // Equal to Unicode, but not the same bytes.
        let accents = [("reference", "é"), ("reference", "e\u{301}")]
        #expect(try Requests.problem(Requests.sale + accents)?.statusInfo == .invalidField("reference"))
    }

    @Test("the sample of 2013 sends what it does not use empty")
    func emptyValues() throws {
        let empty = ["tip", "msi", "reference", "email", "phone", "transactionid", "pin", "statusinfo"].map { ($0, "") }
        let call = try Requests.read(Requests.sale + empty)
        #expect(call.sale != nil)
        #expect(call.echo == [.identifier: "id-1", .amount: "100.00"])
    }

    @Test("a broken value is told by its key, and the caller can still be answered")
    func malformed() throws {
        for broken in ["50%", "%zz", "%FF"] {
            let call = try Requests.read(Requests.url(Requests.sale) + "&reference=\(broken)")
            #expect(call.problem?.kind == .malformedURL)
            #expect(call.problem?.statusInfo == .invalidField("reference"))
            #expect(call.replyAddress == .app(scheme: "myapp"))
        }
        let call = try Requests.read(Requests.url(Requests.changed(Requests.sale, "urlScheme", nil)) + "&urlScheme=a%")
        #expect(call.replyAddress == nil && call.problem?.kind == .malformedURL)
    }

    @Test("the token in another parameter is refused and not sent back")
    func tokenElsewhere() throws {
        let call = try Requests.read(Requests.sale + [("reference", "x\(Requests.token)y")])
        #expect(call.problem?.statusInfo == .invalidField("reference"))
        #expect(call.echo[.reference] == nil)
    }

    @Test("identifiers of different tokens are not the same, and the ledger does not get the token")
    func scope() throws {
        func scope(_ token: String) throws -> String {
            let pairs = Requests.changed(Requests.sale, "usertoken", token)
            return try #require(try Requests.read(pairs).sale).request.details.scope
        }
        #expect(try scope("a") == scope("a"))
        #expect(try scope("a") != scope("b"))
        #expect(try scope("a").count == 32)
    }

    @Test("a call cannot print its token")
    func printing() throws {
        let call = try Requests.read(Requests.sale)
        var dumped = ""
        dump(call, to: &dumped)
        for text in ["\(call)", String(reflecting: call), dumped] { #expect(!text.contains(Requests.token)) }
    }

    @Test("only billpocket is answered, in any case of letters")
    func scheme() throws {
        let rest = Requests.url(Requests.sale).dropFirst("billpocket".count)
        #expect(try Requests.read("BILLpocket" + rest).sale != nil)
        #expect(try Requests.read("billpocket://?" + rest.dropFirst(3)).sale != nil)
        for scheme in ["billpocket2", "https", "myapp"] {
            #expect(throws: URLTextError.otherScheme) { try AppCall.read(scheme + rest) }
        }
    }

    @Test("billpocket://app only asks whether anybody is here")
    func installedTest() throws {
        for text in ["billpocket://app", "Billpocket://app", "billpocket://?app"] {
            guard case .installedTest = try AppCall.read(text) else {
                Issue.record("\(text)")
                continue
            }
        }
        #expect(try Requests.read("billpocket://app&transaction=venta").problem != nil)
        #expect(try Requests.read("billpocket://").problem?.statusInfo == .missingField("transaction"))
    }
}
