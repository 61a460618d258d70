import Testing

/// `readerctl sale --simulate`: outcomes, exit statuses and the response model.
@Suite(.blackBox) struct SimulatedSaleTests {
    /// The Kushki/Billpocket names in their order, and our one more.
    static let keys = [
        "result", "statusinfo", "amount", "tip", "reference", "transactionid", "msi", "authorization", "creditcard",
        "cardtype", "email", "phone", "arqc", "aid", "applabel", "url", "identifier", "bank", "accountType", "name",
        "bp_version", "outcome",
    ]

    @Test("an approved sale fills in the response model, and writes nothing else")
    func approved() async throws {
        let ended = try await run(
            simulatedSale(
                "100.00", "--tip", "15.00", "--msi", "3", "--reference", "Mesa 4 \"ñ\"", "--identifier", "k-1",
                "--email",
                "a@example.com", "--phone", "5512345678"))
        #expect(ended.status == 0)
        #expect(ended.errors == "")
        let expected = [
            "result": "aprobada", "statusinfo": "", "amount": "100.00", "tip": "15.00", "reference": "Mesa 4 \"ñ\"",
            "creditcard": "0119", "cardtype": "VISA", "email": "a@example.com", "phone": "5512345678",
            "aid": "A0000000031010", "applabel": "VISA CREDIT", "identifier": "k-1", "accountType": "credit",
            "name": "TEST CARDHOLDER/ONE", "outcome": "approved",
        ]
        for (key, value) in expected { #expect(try ended.text(key) == value, "\(key)") }
        #expect(try ended.object()["msi"] as? Int == 3)
        #expect(try ended.text("arqc").count == 16)
        #expect(try ended.text("transactionid") == ended.text("url"))
        for key in ["transactionid", "authorization", "bank"] { #expect(try !ended.text(key).isEmpty, "\(key)") }
    }

    @Test(
        "standard output is one JSON document with exactly the documented keys in order, as Python reads it",
        .enabled(if: Prerequisites.python == nil, "\(Prerequisites.python ?? "")"), arguments: ["100.00", "10.00"])
    func keysInOrder(amount: String) async throws {
        let ended = try await run(simulatedSale(amount))
        var reader = Program(
            "python3",
            [
                "-c",
                """
                import json, sys
                text = sys.stdin.read()
                pairs, end = json.JSONDecoder(object_pairs_hook=list).raw_decode(text)
                assert text[end:] == "\\n", text[end:]
                print(" ".join(key for key, value in pairs))
                assert all(isinstance(value, int if key == "msi" else str) for key, value in pairs)
                """,
            ])
        reader.input = Array(ended.output.utf8)
        let read = try await run(reader)
        #expect(read.status == 0, "\(read.errors)")
        #expect(read.output == Self.keys.joined(separator: " ") + "\n")
    }

    @Test(
        "the issuer's no is exit 5 and says why",
        arguments: [("10.00", "01 "), ("40.00", "04 "), ("50.00", "05 ")])
    func declined(amount: String, reason: String) async throws {
        let ended = try await run(simulatedSale(amount))
        #expect(ended.status == 5)
        #expect(try ended.text("result") == "rechazada")
        #expect(try ended.text("outcome") == "declined")
        #expect(try ended.text("statusinfo").hasPrefix(reason))
        #expect(try ended.text("authorization") == "")
        #expect(try ended.text("arqc").count == 16)
        let stored = try await run("transaction", ended.text("transactionid"), "--json")
        #expect(try stored.text("state") == "declined")
    }

    @Test("the table of test amounts is about the total with its tip")
    func declinedWithTip() async throws {
        let ended = try await run(simulatedSale("35.00", "--tip", "5.00"))
        #expect(ended.status == 5)
        #expect(try ended.text("statusinfo").hasPrefix("04 "))
    }

    /// What each card that is not simply approved comes to.
    @Test(
        "each card ends in its own outcome",
        arguments: [
            ("mastercard-debit", 0, "approved"), ("mastercard-t1", 0, "approved"), ("visa-t0", 0, "approved"),
            ("visa-no-pse", 0, "approved"), ("visa-cvn18", 0, "approved"), ("ccd-aes", 0, "approved"),
            ("two-applications", 0, "approved"),
            ("no-name", 5, "failed"), ("long-pan", 0, "approved"), ("gpo-format-2", 0, "approved"),
            ("declines-first", 5, "declined"), ("declines-second", 5, "failed"), ("visa-expired", 5, "declined"),
            ("mute", 5, "failed"), ("blocked-card", 5, "failed"), ("blocked-application", 5, "failed"),
            ("missing-cdol1", 5, "failed"), ("nonsense", 5, "failed"), ("bad-afl", 5, "failed"),
            ("pulled-first", 6, "cancelled"), ("pulled-second", 5, "failed"),
        ] as [(String, Int32, String)])
    func cards(card: String, status: Int32, outcome: String) async throws {
        let ended = try await run(simulatedSale("123.45", card: card))
        #expect(ended.status == status)
        #expect(try ended.text("outcome") == outcome)
        #expect(try ended.object().keys.count == Self.keys.count)
    }

    @Test("for people there are lines with labels, and no JSON")
    func text() async throws {
        let ended = try await run("sale", "--simulate", "visa-credit", "--amount", "1.00")
        #expect(ended.status == 0)
        #expect(ended.output.contains("result         aprobada\n"))
        #expect(ended.output.contains("creditcard     0119\n"))
        #expect(!ended.output.contains("{"))
        #expect(!ended.output.contains("\u{1B}"))
    }
}
