import Foundation
import Testing

/// A host approves a part over ISO 8583, and the merchant takes parts (`payments.partialApproval`).
@Suite(.blackBox) struct PartialApprovalTests {
    @Test("the part is taken, told, printed, refunded to the cent, and the host's totals are the ledger's")
    func accepted() async throws {
        let script = try Workbench.mine().path("script.json")
        try Data(
            """
            {"faults":[{"fault":"partialApproval","amount":23000,"approved":20050,"on":"authorisation"}]}
            """.utf8
        ).write(to: URL(fileURLWithPath: script))
        let host = try await HostProcess(["--script", script], kiosk: ["payments": ["partialApproval": "accept"]])
        let sale = try await run(host.sale("200.00", "--tip", "30.00", "--identifier", "order-1"))
        #expect(sale.status == 0, "\(sale.errors)")
        #expect(try sale.text("result") == "aprobada" && sale.text("statusinfo").isEmpty)
        #expect(try sale.text("amount") == "200.00" && sale.text("tip") == "0.50")
        #expect(sale.errors == "Only 200.50 of 230.00 was approved and taken: 29.50 is still to be paid.\n")
        let id = try sale.text("transactionid")
        let again = try await run(host.sale("200.00", "--tip", "30.00", "--identifier", "order-1"))
        #expect(again.output == sale.output && again.status == 0)
        let receipt = try await run("receipt", id, "--language", "en")
        #expect(receipt.output.contains("Asked for                       230.00 MXN\n"))
        #expect(receipt.output.contains("Total                           200.50 MXN\n"))
        // 110.00 is approved for 100.00 by the table of test amounts.
        let second = try await run(host.sale("110.00"))
        #expect(try second.text("amount") == "100.00")
        let void = try await run("void", second.text("transactionid"), "--config", host.configuration)
        #expect(void.status == 0, "\(void.errors)")
        let totals = try await host.close()
        #expect(totals["net"] as? Int == 200_50)
        let listed = try await run("transactions", "--json", "--state", "approved").list("transactions")
        #expect(listed.map { $0["amount"] as? String } == ["200.00"] && listed.first?["tip"] as? String == "0.50")
    }

    @Test("unless it is configured the part is given back")
    func reversed() async throws {
        let host = try await HostProcess()
        let sale = try await run(host.sale("110.00"))
        #expect(sale.status == 5)
        #expect(try sale.text("amount") == "110.00" && sale.text("outcome") == "failed")
        let totals = try await host.close()
        #expect(totals["net"] as? Int == 0 && totals["reversals"] as? Int == 1)
    }
}
