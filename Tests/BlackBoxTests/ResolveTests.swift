import Foundation
import Glibc
import Payments
import Testing

/// `readerctl resolve`.
@Suite(.blackBox) struct ResolveTests {
    private static let nothing = #"{"resolutions":[],"waiting":[],"open":0}"# + "\n"

    /// A sale that was killed while the issuer was asked.
    private func killedSale(_ amount: String = "74.00") async throws -> String {
        let sale = try Workbench.mine().start(simulatedSale(amount))
        let id = try await transaction(in: "authorizing", while: sale)
        sale.send(SIGKILL)
        #expect(await sale.end().status == 128 + SIGKILL)
        return id
    }

    private func running() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Workbench.mine().data + "/running")
    }

    @Test("where nothing is open it says so, exit 0, and where there is no ledger it makes none")
    func nothing() async throws {
        let bare = try await run("resolve", "--json")
        #expect(bare.status == 0 && bare.output == Self.nothing)
        #expect(!FileManager.default.fileExists(atPath: try Workbench.mine().data))
        _ = try await run(simulatedSale("1.00"))
        let ended = try await run("resolve", "--json")
        #expect(ended.status == 0 && ended.output == Self.nothing && ended.errors == "")
        let text = try await run("resolve")
        #expect(text.status == 0 && text.output == "" && text.errors == "Nothing is open.\n")
        #expect(try running().isEmpty)
    }

    @Test("an unknown sale is resolved, and the line says how")
    func unknown() async throws {
        let sale = try await run(simulatedSale("190.00").timeLimit("1"))
        #expect(sale.status == 7)
        let id = try sale.text("transactionid")
        let ended = try await run("resolve", "--json")
        #expect(ended.status == 0)
        #expect(
            ended.output == #"{"resolutions":[{"transactionid":"\#(id)","kind":"sale","found":"unknown","#
                + #""state":"reversed","outcome":"failed","underway":false,"tries":0,"resolveAt":null,"#
                + #""reason":"the host had approved it; it is reversed"}],"waiting":[],"open":0}"# + "\n")
        #expect(try await Books(data: Workbench.mine().data).host() == 0)
        #expect(try await run("resolve", "--json").output == Self.nothing)
    }

    @Test("a killed sale is resolved, for people in one line; nothing is left of it")
    func killed() async throws {
        let id = try await killedSale()
        let ended = try await run("resolve")
        #expect(ended.status == 0)
        #expect(
            ended.output
                == "\(id)  sale  74.00  authorizing -> reversed  (the host had approved it; it is reversed)\n")
        try await Books(data: Workbench.mine().data).check()
        #expect(try running().isEmpty)
        let stored = try await run("transaction", id, "--json")
        #expect(try stored.text("state") == "reversed")
    }

    @Test("by its id, one is resolved; a second time it had an end already")
    func one() async throws {
        let id = try await killedSale()
        let first = try await run("resolve", id, "--json")
        #expect(first.status == 0)
        #expect(try first.list("resolutions").first?["state"] as? String == "reversed")
        let second = try await run("resolve", id, "--json")
        #expect(second.status == 0)
        #expect(try second.list("resolutions").first?["reason"] as? String == "it had an end already")
    }

    @Test("the next sale resolves what is due, after its own result")
    func beside() async throws {
        let id = try await killedSale()
        let next = try await run(simulatedSale("1.00"))
        #expect(next.status == 0 && next.errors == "")
        #expect(try next.text("amount") == "1.00")
        #expect(try await run("transaction", id, "--json").text("state") == "reversed")
    }

    @Test("a sale under way is left alone")
    func underWay() async throws {
        let sale = try Workbench.mine().start(simulatedSale("74.00"))
        let id = try await transaction(in: "authorizing", while: sale)
        let ended = try await run("resolve", "--json")
        #expect(ended.status == 0)
        let resolution = try #require(try ended.list("resolutions").first)
        #expect(resolution["transactionid"] as? String == id)
        #expect(resolution["underway"] as? Bool == true && resolution["state"] as? String == "authorizing")
        sale.send(SIGKILL)
        _ = await sale.end()
    }

    @Test("--list shows a sale under way and does not count it; when its program is killed it is open")
    func listed() async throws {
        func listed() async throws -> Ended { try await run("resolve", "--list", "--json") }
        let sale = try Workbench.mine().start(simulatedSale("74.00"))
        let id = try await transaction(in: "authorizing", while: sale)
        let entry = #"[{"transactionid":"\#(id)","state":"authorizing"}]"#
        let inHand = try await listed()
        #expect(inHand.status == 0)
        #expect(inHand.output == #"{"open":[],"stored":[],"refused":[],"underway":\#(entry)}"# + "\n")
        let text = try await run("resolve", "--list")
        #expect(text.status == 0 && text.errors == "")
        #expect(text.output == "\(id)  sale  74.00  authorizing  (its program is at work on it)\n")
        sale.send(SIGKILL)
        _ = await sale.end()
        let left = try await listed()
        #expect(left.status == 7)
        #expect(left.output == #"{"open":\#(entry),"stored":[],"refused":[],"underway":[]}"# + "\n")
    }

    @Test("--list shows a sale that is to be voided, as resolve counts it")
    func listedVoid() async throws {
        let bench = try CrashBench()
        let id = try await bench.sale("100.00", card: "visa-credit").text("transactionid")
        _ = try await bench.void(id, at: .voidIntentionRecorded)
        let listed = try await run("resolve", "--list")
        #expect(listed.status == 7 && listed.output == "\(id)  sale  100.00  approved  (to be voided)\n", "\(listed)")
        #expect(try await run("resolve").status == 0)
        #expect(try await run("resolve", "--list").status == 0)
    }

    @Test("--watch leaves with 0 while only a program that runs has something in hand")
    func watchBeside() async throws {
        let sale = try Workbench.mine().start(simulatedSale("74.00"))
        let id = try await transaction(in: "authorizing", while: sale)
        _ = try await CrashBench().sale("123.45", card: "visa-credit", at: .answerRecorded)
        let ids = try await run("transactions", "--json").list("transactions").compactMap {
            $0["transactionid"] as? String
        }
        let open = try #require(ids.first { $0 != id })
        let watch = try Workbench.mine().start(readerctl(["resolve", "--watch", "--json"]))
        #expect(await watch.line(containing: open) != nil)
        watch.send(SIGINT)
        #expect(await watch.end().status == 0)
        sale.send(SIGKILL)
        _ = await sale.end()
    }

    @Test("an id that is not there, and a mistake in the command line, are exit 2")
    func usage() async throws {
        expectUsageError(try await run("resolve", "--as", "approved"))
        expectUsageError(try await run("resolve", "X", "--as", "maybe"))
        expectUsageError(try await run("resolve", "X", "--watch"))
        expectWrongName(try await run("resolve", "X"))
        _ = try await run(simulatedSale("1.00"))
        expectWrongName(try await run("resolve", "X"))
        expectWrongName(try await run("resolve", "X", "--as", "approved"))
    }

    @Test("a decision is for manual review only: exit 9 for everything else")
    func decision() async throws {
        let id = try await run(simulatedSale("1.00")).text("transactionid")
        let refused = try await run("resolve", id, "--as", "declined")
        #expect(refused.status == 9)
        #expect(
            refused.errors
                == "The transaction '\(id)' is approved: only one in manualReview waits for a decision.\n")
        #expect(try await run("transaction", id, "--json").text("state") == "approved")
    }

    @Test("SIGTERM stops it; what it was about stays planned, exit 7, and the next one ends it")
    func terminated() async throws {
        // The reversal of this amount takes the simulated host forty seconds.
        let bench = try CrashBench()
        _ = try await bench.sale("174.00", card: "visa-credit", at: .answerRecorded)
        let listed = try await run("transactions", "--json").list("transactions")
        let id = try #require(listed.first?["transactionid"] as? String)
        let resolve = try Workbench.mine().start(readerctl(["resolve", "--json"]))
        var isSent = false
        while !isSent, !resolve.hasEnded {
            isSent = try await run("transaction", id, "--json").output.contains("reversal 1: the host had approved it")
        }
        resolve.send(SIGTERM)
        let ended = await resolve.end()
        #expect(ended.status == 7, "\(ended)")
        let resolution = try #require(try ended.list("resolutions").first)
        #expect(resolution["state"] as? String == "unknown" && resolution["tries"] as? Int == 1)
        #expect(resolution["resolveAt"] as? Int != nil)
        #expect(try running().isEmpty)
        let second = try await run("resolve", "--json")
        #expect(second.status == 0, "\(second)")
        try await Books(data: Workbench.mine().data).check()
    }

    @Test("--watch ends with 7 while a void is owed, or anything else is open")
    func watchLeaves() async throws {
        let bench = try CrashBench()
        // The void of this amount takes the simulated host forty seconds.
        let id = try await bench.sale("174.00", card: "visa-credit").text("transactionid")
        _ = try await bench.void(id, at: .voidIntentionRecorded)
        #expect(try await bench.state(of: id) == "approved")
        let watch = try Workbench.mine().start(try readerctl(["resolve", "--watch", "--json"]).timeLimit("1"))
        let line = try #require(await watch.line(containing: id))
        #expect(line.contains(#""reason":"it is to be voided; no answer"#))
        watch.send(SIGINT)
        #expect(await watch.end().status == 7)
    }

    @Test(
        "--watch goes on until Ctrl-C, also when the date is shifted",
        arguments: [nil, "+3d"])
    func watch(shift: String?) async throws {
        var program = readerctl(["resolve", "--watch", "--json"])
        program.limit = 120
        if let shift {
            guard let library = Prerequisites.faketimeLibrary else { return }
            program = program.shifted(shift, by: library)
        }
        let watch = try Workbench.mine().start(program)
        let id = try await killedSale()
        let line = await watch.line(containing: id)
        #expect(line?.contains(#""state":"reversed""#) == true, "\(line ?? "")")
        watch.send(SIGINT)
        #expect(await watch.end().status == 0)
        watch.removeSharedClock()
    }
}
