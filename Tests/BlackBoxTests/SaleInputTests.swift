import Foundation
import Testing

/// Command lines that are refused before anything happens.
@Suite(.blackBox) struct SaleInputTests {
    @Test(
        "an amount that is not digits, a point and two decimals is refused, and nothing is recorded",
        arguments: [
            "100", "100.0", "100.001", "-1", "1e2", " 1", "1.00 ", "+1.00", "1,00", "1,000.00", ".50", "0x1.00", "",
            "١٠٠.٠٠", "100.٠٠", "NaN", "0.00", "99999999999.99", "9223372036854775808.00", "1.00\n",
        ])
    func badAmount(amount: String) async throws {
        let ended = try await run(readerctl(["sale", "--simulate", "visa-credit", "--json", "--amount=" + amount]))
        expectUsageError(ended)
        try expectNoLedger()
    }

    @Test(
        "a command line that is wrong is refused, and nothing is recorded",
        arguments: [
            ["sale", "--simulate", "visa-credit"],
            ["sale", "--simulate", "visa-credit", "--amount"],
            ["sale", "--simulate", "visa-credit", "--amount", "1.00", "--colour", "red"],
            ["sale", "--simulate", "visa-credit", "--amount", "1.00", "--amount", "2.00"],
            ["sale", "--simulate", "visa-credit", "--amount", "1.00", "--tip", "1"],
            ["sale", "--simulate", "visa-credit", "--amount", "9999999999.99", "--tip", "0.01"],
            ["sale", "--simulate", "visa-credit", "--amount", "1.00", "--msi", "5"],
            ["sale", "--simulate", "visa-credit", "--amount", "1.00", "--currency", "XXX"],
            ["sale", "--simulate", "visa-credit", "--amount", "1.00", "--timeout", "0"],
            ["sale", "--simulate", "visa-credit", "--amount", "1.00", "--phone", "123456789012345"],
            ["sale", "--simulate", "visa-credit", "--amount", "1.00", "surplus"],
            ["sale", "--simulate", "no-such-card", "--amount", "1.00"],
            ["sale", "--simulate-reader", "abacus", "--simulate", "visa-credit", "--amount", "1.00"],
            ["refund"], ["refund", "--transaction-id", "01ABC", "--amount", "1"],
            ["sell", "--amount", "1.00"], ["transaction"], ["receipt", "a", "b"], ["completion", "csh"],
            ["receipt", "01ABC", "--format", "pdf"], ["transactions", "--state", "happy"], ["simulate"],
            ["--colour"],
        ])
    func badCommandLine(arguments: [String]) async throws {
        expectUsageError(try await run(readerctl(arguments)))
        try expectNoLedger()
    }

    @Test("a file that cannot be used is no mistake in the form of the command line, so that form is not shown")
    func badFiles() async throws {
        let sale = ["sale", "--simulate", "visa-credit", "--amount", "1.00", "--config", "/no/such/file"]
        for arguments in [sale, ["decode", "/"], ["host", "--script", "/no/such/file"]] {
            expectWrongName(try await run(readerctl(arguments)))
        }
        try expectNoLedger()
    }

    @Test("the longest texts are accepted, one character more is refused")
    func longTexts() async throws {
        let text = String(repeating: "ñ", count: 256)
        let ended = try await run(simulatedSale("1.00", "--reference", text, "--identifier", text))
        #expect(ended.status == 0)
        #expect(try ended.text("reference") == text)
        expectUsageError(try await run(simulatedSale("1.00", "--reference", text + "n")))
    }

    @Test("the greatest amount that fits into twelve digits is accepted")
    func greatestAmount() async throws {
        let ended = try await run(simulatedSale("9999999999.99"))
        #expect(ended.status == 0)
        #expect(try ended.text("amount") == "9999999999.99")
    }

    private func expectNoLedger() throws {
        let data = try Workbench.mine().data
        #expect(!FileManager.default.fileExists(atPath: data))
    }
}
