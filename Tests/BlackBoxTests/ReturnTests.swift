import Testing

/// `readerctl refund` of a whole sale and of a part, at a host of its own.
@Suite(.blackBox, .enabled(if: Prerequisites.faketime == nil, "\(Prerequisites.faketime ?? "")"))
struct ReturnTests {
    @Test("all of a sale goes back as a void, a part as a refund; the reply is the same, and a line says which")
    func both() async throws {
        let host = try await HostProcess()
        let noon = "2026-11-30 12:00:00"
        let later = "2026-11-30 12:01:01"
        func at(_ moment: String, _ program: Program) async throws -> Ended {
            try await run(program.frozen(at: moment, zone: "America/Mexico_City"))
        }
        let whole = try await at(noon, host.sale("100.00"))
        let part = try await at(noon, host.sale("60.00"))
        let config = host.configuration
        let early = try await at("2026-11-30 12:00:59", refund(of: whole.text("transactionid"), "--config", config))
        #expect(early.status == 9)
        let void = try await at(later, refund(of: whole.text("transactionid"), "--config", host.configuration))
        #expect(void.status == 0, "\(void)")
        #expect(try void.text("result") == "aprobada" && void.text("amount") == "100.00")
        #expect(try void.text("authorization") == whole.text("authorization"))
        #expect(void.errors.contains("(a void)"))
        let stored = try await run("transaction", void.text("transactionid"), "--json")
        #expect(try stored.text("returnedas") == "void" && stored.text("kind") == "refund")
        let line = try await run("transactions").output.split(separator: "\n").first
        #expect(line?.hasSuffix("refund  approved  100.00  **** 0119  as a void") == true, "\(line ?? "")")
        let other = try await at(
            later, refund(of: part.text("transactionid"), "--amount", "20.00", "--config", host.configuration))
        #expect(other.status == 0 && other.errors == "The host has booked a refund beside the sale.\n", "\(other)")
        #expect(try await run("transaction", other.text("transactionid"), "--json").text("returnedas") == "refund")
        let lines = try await run("transactions").output.split(separator: "\n")
        #expect(lines.filter { $0.contains("as a void") } == [try #require(line)])
        #expect(try await run("settle", "--json", "--config", host.configuration).status == 0)
        let totals = try await host.close()
        #expect(totals["net"] as? Int == 40_00)
        #expect(totals["refunds"] as? Int == 1)
    }
}
