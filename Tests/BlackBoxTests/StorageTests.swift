import Foundation
import Testing

/// Where the ledger is, who may read it, and what happens when it cannot be used.
@Suite(.blackBox) struct StorageTests {
    @Test("--data comes before READERKIT_DATA, which comes before the XDG state directory, which comes before HOME")
    func precedence() async throws {
        let bench = try Workbench.mine()
        var sale = simulatedSale("1.00", "--data", bench.path("option"))
        sale.environment = ["READERKIT_DATA": bench.path("variable"), "XDG_STATE_HOME": bench.path("state")]
        _ = try await run(sale)
        #expect(try directories() == ["option"])
        sale.arguments.removeLast(2)
        _ = try await run(sale)
        #expect(try directories() == ["option", "variable"])
        sale.environment["READERKIT_DATA"] = .some(nil)
        _ = try await run(sale)
        #expect(try directories() == ["option", "state/readerkit", "variable"])
        sale.environment["XDG_STATE_HOME"] = .some(nil)
        sale.environment["HOME"] = bench.path("home")
        try FileManager.default.createDirectory(atPath: bench.path("home"), withIntermediateDirectories: false)
        _ = try await run(sale)
        #expect(
            try directories() == ["home/.local/state/readerkit", "option", "state/readerkit", "variable"])
    }

    @Test("the data directory is made for its owner alone, and so are its files")
    func modes() async throws {
        _ = try await run(simulatedSale("1.00"))
        let bench = try Workbench.mine()
        #expect(try mode(of: bench.data) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: bench.data) {
            #expect(try mode(of: bench.data + "/" + name) == (name == "running" ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test(
        "a ledger that was cut to nothing is told, nothing is started over it, and moved away it makes room for a new one"
    )
    func cut() async throws {
        let bench = try Workbench.mine()
        _ = try await run(simulatedSale("1.00"))
        let file = bench.data + "/ledger.sqlite"
        try Data().write(to: URL(fileURLWithPath: file))
        for program in [
            simulatedSale("1.00"), readerctl(["transactions"]), readerctl(["resolve"]), readerctl(["settle"]),
        ] {
            let ended = try await run(program)
            #expect(ended.status == 1 && ended.output == "", "\(ended)")
            #expect(
                ended.errors == "The ledger is damaged: '\(file)' is empty, and payments were made with this directory "
                    + "before. Stop taking payments and restore the last backup. To begin anew without those payments, "
                    + "move '\(file)' away.\n")
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)).isEmpty)
        }
        try FileManager.default.moveItem(atPath: file, toPath: file + ".old")
        #expect(try await run(simulatedSale("1.00")).status == 0)
    }

    @Test("a damaged ledger is told in a sentence, and no sale is started")
    func damaged() async throws {
        let bench = try Workbench.mine()
        _ = try await run(simulatedSale("1.00"))
        let ledger = URL(fileURLWithPath: bench.data + "/ledger.sqlite")
        let rubbish = Data(repeating: 0x55, count: 5000)
        try rubbish.write(to: ledger)
        for program in [simulatedSale("2.00"), readerctl(["transactions"]), refund(of: "01ABC")] {
            let ended = try await run(program)
            #expect(ended.status == 1, "\(program.title)")
            #expect(ended.output == "", "\(program.title)")
            #expect(ended.errors.hasPrefix("The ledger is damaged"), "\(program.title): \(ended.errors)")
            #expect(ended.errors.filter { $0 == "\n" }.count == 1)
        }
        #expect(try Data(contentsOf: ledger) == rubbish)
    }

    @Test("a data directory that is a file is told in a sentence")
    func notADirectory() async throws {
        let path = try Workbench.mine().path("file")
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        let ended = try await run(simulatedSale("1.00", "--data", path))
        #expect(ended.status == 1)
        #expect(ended.errors.contains("is not a directory"))
    }

    @Test(
        "a ledger on a file system that cannot be written starts no sale",
        .enabled(if: Prerequisites.readOnlyMount == nil, "\(Prerequisites.readOnlyMount ?? "")"))
    func readOnly() async throws {
        let id = try await run(simulatedSale("1.00")).text("transactionid")
        let refused = try await run(readOnly(simulatedSale("2.00")))
        #expect(refused.status == 1)
        #expect(refused.errors.hasPrefix("The ledger cannot be "), "\(refused.errors)")
        #expect(refused.errors.filter { $0 == "\n" }.count == 1)
        #expect(!refused.output.contains("approved"))
        let listed = try await run("transactions", "--json")
        #expect(try listed.list("transactions").map { $0["transactionid"] as? String } == [id])
    }

    /// In a mount namespace of its own, where the data directory is read-only.
    private func readOnly(_ program: Program) throws -> Program {
        let data = try Workbench.mine().data
        let script = "mount --bind '\(data)' '\(data)' && mount -o remount,bind,ro '\(data)' && exec \"$0\" \"$@\""
        return program.started(by: "unshare", "-m", "sh", "-c", script)
    }

    /// Those that hold a ledger, relative to the workbench.
    private func directories() throws -> [String] {
        let all = FileManager.default.enumerator(atPath: try Workbench.mine().directory)?.allObjects ?? []
        return all.compactMap { $0 as? String }.filter { $0.hasSuffix("/ledger.sqlite") }
            .map { String($0.dropLast("/ledger.sqlite".count)) }.sorted()
    }

    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
