import Testing

/// Sales at simulated readers that run EMV themselves: `--simulate-reader neo2|qpos|mpi`.
@Suite(.blackBox) struct SimulatedFamilyTests {
    static let families = ["neo2", "qpos", "mpi"]

    private func sale(_ family: String, _ amount: String, card: String = "visa-credit") -> Program {
        simulatedSale(amount, "--simulate-reader", family, card: card)
    }

    @Test("approved: the same reply as from a reader that passes APDUs", arguments: families)
    func approved(family: String) async throws {
        let ended = try await run(sale(family, "100.00"))
        #expect(ended.status == 0, "\(ended.errors)")
        let expected = [
            "result": "aprobada", "statusinfo": "", "amount": "100.00", "creditcard": "0119", "cardtype": "VISA",
            "aid": "A0000000031010", "applabel": "VISA CREDIT", "accountType": "credit", "outcome": "approved",
        ]
        for (key, value) in expected { #expect(try ended.text(key) == value, "\(key)") }
        #expect(try ended.text("arqc").count == 16)
        #expect(try ended.text("authorization").count == 6)
    }

    @Test("declined by the issuer, exit 5", arguments: families)
    func declined(family: String) async throws {
        let ended = try await run(sale(family, "50.00"))
        #expect(ended.status == 5)
        #expect(try ended.text("outcome") == "declined")
    }

    @Test("a tapped card is approved without a second cryptogram", arguments: families)
    func tapped(family: String) async throws {
        let ended = try await run(sale(family, "100.00", card: "visa-credit:tapped"))
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(try ended.text("creditcard") == "0119")
    }

    @Test("a void needs no reader", arguments: families)
    func void(family: String) async throws {
        let id = try await run(sale(family, "100.00")).text("transactionid")
        let ended = try await run("void", id, "--json")
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(try ended.text("void") == "voided")
    }

    @Test("probe names the family", arguments: families)
    func probe(family: String) async throws {
        let ended = try await run("probe", "--simulate", "visa-credit", "--simulate-reader", family, "--json")
        #expect(ended.status == 0)
        let reader = try #require(try ended.list("readers").first)
        #expect(reader["driver"] as? String == family)
        #expect(reader["state"] as? String == "ready")
    }

    @Test(
        "how a card comes is a word that is known, and not for a slot",
        arguments: [("neo2", "thrown"), ("ccid", "tapped")])
    func entries(family: String, entry: String) async throws {
        let ended = try await run(sale(family, "1.00", card: "visa-credit:" + entry))
        #expect(ended.status == 2)
        #expect(ended.errors.contains("cannot come like that"))
    }
}
