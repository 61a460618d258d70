import Foundation
import Glibc
import Testing

/// Ctrl-C.
@Suite(.blackBox) struct InterruptTests {
    @Test(
        "while it waits for a card, Ctrl-C cancels the sale: exit 6, and the ledger says so",
        .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"),
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func waitingForCard(signal: Int32) async throws {
        let reader = try await MockReader("ccid:card=none")
        let sale = try reader.start("sale", "--amount", "20.00", "--json")
        let id = try await transaction(in: "readerArmed", while: sale)
        sale.send(signal)
        let ended = await sale.end()
        #expect(ended.status == 6)
        #expect(try ended.text("outcome") == "cancelled")
        #expect(try ended.text("result") == "error")
        #expect(try ended.text("statusinfo") == "La transacción fue cancelada")
        #expect(try ended.text("transactionid") == id)
        let stored = try await run("transaction", id, "--json")
        #expect(try stored.text("state") == "cancelled")
        #expect(try stored.text("outcome") == "cancelled")
        // The reader was given back: the next sale can have it at once.
        try await reader.steer("1-1 insert visa-credit")
        #expect(try await reader.run("sale", "--amount", "20.00", "--json").status == 0)
        await reader.close()
    }

    @Test("once the issuer was asked, Ctrl-C is only a wish, and a second one within a second ends at once")
    func twice() async throws {
        var slow = simulatedSale("74.00")
        slow.limit = 120
        let sale = try Workbench.mine().start(slow)
        let id = try await transaction(in: "authorizing", while: sale)
        sale.send(SIGINT)
        // Two pending signals of one kind would be one. The first is taken when it is pending no longer.
        while !sale.hasEnded, try isPending(SIGINT, in: sale.processId) { await Task.yield() }
        sale.send(SIGINT)
        let ended = await sale.end()
        #expect(ended.status == 128 + SIGINT)
        #expect(ended.output == "")
        let stored = try await run("transaction", id, "--json")
        #expect(try stored.text("state") == "authorizing", "it is still there to be resolved")
    }

    @Test(
        "probe --watch ends on Ctrl-C",
        .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
    func watch() async throws {
        let reader = try await MockReader("ccid")
        let probe = try reader.start("probe", "--watch", "--json")
        _ = await probe.line(containing: "ready")
        probe.send(SIGINT)
        #expect(await probe.end().status == 0)
        await reader.close()
    }

    private func isPending(_ signal: Int32, in process: pid_t) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return status.split(separator: "\n").contains { line in
            guard line.hasPrefix("SigPnd:") || line.hasPrefix("ShdPnd:"), let mask = UInt64(line.suffix(16), radix: 16)
            else { return false }
            return mask & (1 << UInt64(signal - 1)) != 0
        }
    }
}
