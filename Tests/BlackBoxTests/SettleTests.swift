import Foundation
import Glibc
import Testing

/// `readerctl settle`.
@Suite(.blackBox) struct SettleTests {
    private static let nothing =
        #"{"version":1,"settlements":[{"result":"nothing","batch":null,"unresolved":[],"reason":null}]}"# + "\n"

    private func settlement(_ ended: Ended) throws -> [String: Any] {
        try #require(ended.list("settlements").first)
    }

    private func batch(_ ended: Ended) throws -> [String: Any] {
        try #require(settlement(ended)["batch"] as? [String: Any])
    }

    @Test("where there is nothing to settle it says so, exit 0; no number is used, and no ledger is made")
    func nothing() async throws {
        let bare = try await run("settle", "--json")
        #expect(bare.status == 0 && bare.output == Self.nothing && bare.errors == "")
        for mode in ["--list", "--open"] { #expect(try await run("settle", mode).status == 0) }
        #expect(!FileManager.default.fileExists(atPath: try Workbench.mine().data))
        _ = try await run(simulatedSale("50.00"))
        let text = try await run("settle")
        #expect(text.status == 0 && text.output == "" && text.errors == "There is nothing to settle.\n")
        let list = try await run("settle", "--list", "--json")
        #expect(list.status == 0 && list.output == #"{"version":1,"batches":[]}"# + "\n")
    }

    @Test("a day is shown, closed and listed, with a line for each brand")
    func day() async throws {
        let visa = try await run(simulatedSale("100.00", "--tip", "15.00")).text("transactionid")
        _ = try await run(simulatedSale("60.00", card: "mastercard-debit"))
        _ = try await run(simulatedSale("50.00"))
        let open = try await run("settle", "--open")
        #expect(open.status == 0)
        #expect(
            open.output == """
                Open  MXN
                            sales  amount   tips  refunds  amount     net
                MASTERCARD      1   60.00   0.00        0    0.00   60.00
                VISA            1  100.00  15.00        0    0.00  115.00
                Total           2  160.00  15.00        0    0.00  175.00

                """)
        let closed = try await run("settle")
        #expect(closed.status == 0 && closed.errors == "")
        let lines = closed.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("Batch 1  MXN  closed 20") == true)
        #expect(lines.last == "The host agrees.")
        #expect(lines.dropFirst().dropLast().joined() == open.output.split(separator: "\n").dropFirst().joined())
        #expect(try await run("settle", "--list").output == closed.output)
        let list = try await run("settle", "--list", "--json").list("batches")
        #expect(list.map { $0["batch"] as? Int } == [1])
        let shown = try await run("transaction", visa, "--json").object()
        #expect(shown["state"] as? String == "settled" && shown["batch"] as? Int == 1)
        let voided = try await run("void", visa, "--json")
        #expect(voided.status == 9)
        #expect(try voided.text("void") == "settled")
        #expect(try await run("settle", "--json").output == Self.nothing)
    }

    @Test("an unknown sale blocks, and says what to do; resolved, or by force, the batch is closed")
    func unresolved() async throws {
        _ = try await run(simulatedSale("100.00"))
        let id = try await run(simulatedSale("190.00").timeLimit("1")).text("transactionid")
        let blocked = try await run("settle")
        #expect(blocked.status == 9)
        #expect(blocked.output == "  \(id)  sale  190.00  unknown  readerctl resolve \(id)\n")
        #expect(
            blocked.errors == """
                Nothing was settled: 1 payment has no end yet.
                Run 'readerctl settle' again afterwards, or close without them: 'readerctl settle --force'.

                """)
        let json = try await run("settle", "--json")
        #expect(json.status == 9)
        #expect(
            json.output == #"{"version":1,"settlements":[{"result":"blocked","batch":null,"unresolved":["#
                + #"{"transactionid":"\#(id)","kind":"sale","state":"unknown","amount":"190.00","remedy":"resolve"}],"#
                + #""reason":null}]}"# + "\n")
        let forced = try await run("settle", "--force")
        #expect(forced.status == 0)
        #expect(forced.errors == "Left for a later batch:\n")
        #expect(forced.output.contains("Host - here      1     190.00        0    0.00  190.00\n"))
        #expect(forced.output.hasSuffix("  \(id)  sale  190.00  unknown  readerctl resolve \(id)\n"))
        #expect(try await run("resolve", id).status == 0)
        _ = try await run(simulatedSale("20.00"))
        let next = try await run("settle", "--json")
        #expect(next.status == 0)
        #expect(try batch(next)["hostAnswer"] as? String == "evened")
        #expect(try batch(next)["batch"] as? Int == 2)
    }

    @Test("a sale that only the host has is shown side by side, exit 9; force records it")
    func mismatch() async throws {
        _ = try await run(simulatedSale("100.00"))
        try await CrashBench().plant(7_00)
        let ended = try await run("settle")
        #expect(ended.status == 9)
        #expect(
            ended.output == """
                             sales  with tips  refunds  amount     net
                Here             1     100.00        0    0.00  100.00
                Host             2     107.00        0    0.00  107.00
                Host - here      1       7.00        0    0.00    7.00

                """)
        #expect(ended.errors.hasPrefix("The host has counted something else. The batch is not closed.\n"))
        #expect(try settlement(try await run("settle", "--json"))["result"] as? String == "differs")
        let open = try await run("settle", "--open", "--json").list("open")
        #expect((open.first?["unclosed"] as? [String: Any])?["state"] as? String == "differs")
        let forced = try await run("settle", "--force", "--json")
        #expect(forced.status == 0)
        let batch = try batch(forced)
        #expect(batch["state"] as? String == "closed" && batch["hostAnswer"] as? String == "differs")
        #expect(batch["batch"] as? Int == 1 && batch["forced"] as? Bool == true)
        #expect((batch["hostTotals"] as? [String: Any])?["net"] as? String == "107.00")
    }

    @Test("two programs that settle at once close one batch")
    func parallel() async throws {
        _ = try await run(simulatedSale("100.00"))
        let bench = try Workbench.mine()
        let programs = try (0..<4).map { _ in try bench.start(readerctl(["settle", "--json"])) }
        var results: [String] = []
        for program in programs {
            let ended = await program.end()
            #expect(ended.status == 0, "\(ended.errors)")
            results.append(try settlement(ended)["result"] as? String ?? "")
        }
        #expect(results.sorted() == ["closed", "nothing", "nothing", "nothing"])
        #expect(try await run("settle", "--list", "--json").list("batches").count == 1)
    }

    @Test(
        "over ISO 8583: no answer is exit 7, the same batch goes on, and the host agrees", arguments: ["ascii", "bcd"])
    func iso8583(profile: String) async throws {
        let script = try Workbench.mine().path("script.json")
        try Data(#"{"faults":[{"fault":"closeAfterBooking","on":"reconciliation","times":1}]}"#.utf8)
            .write(to: URL(fileURLWithPath: script))
        let host = try await HostProcess(["--script", script, "--profile", profile], settings: ["profile": profile])
        _ = try await run(host.sale("100.00", "--tip", "15.00"))
        let settle = readerctl(["settle", "--json", "--config", host.configuration])
        let lost = try await run(settle)
        #expect(lost.status == 7)
        #expect(try settlement(lost)["result"] as? String == "noAnswer")
        #expect(try batch(lost)["state"] as? String == "closing")
        let ended = try await run(settle)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(try batch(ended)["hostAnswer"] as? String == "agreed")
        #expect(try batch(ended)["batch"] as? Int == 1)
        #expect((try batch(ended)["hostTotals"] as? [String: Any])?["net"] as? String == "115.00")
        _ = try await host.close()
    }

    @Test("a host that compares no batches: closed, and said plainly")
    func notKept() async throws {
        let host = try await HostProcess(settings: ["settlement": "none"])
        _ = try await run(host.sale("100.00"))
        let ended = try await run("settle", "--config", host.configuration)
        #expect(ended.status == 0)
        #expect(
            ended.output.hasSuffix("This host compares no batches: nobody has checked these totals.\n"))
        _ = try await host.close()
    }

    @Test("what cannot be given together is refused")
    func usage() async throws {
        for pair in [["--force", "--list"], ["--list", "--open"], ["--force", "--open"]] {
            expectUsageError(try await run(readerctl(["settle"] + pair)))
        }
        expectUsageError(try await run("settle", "7"))
    }
}
