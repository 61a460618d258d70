import Foundation
import Glibc
import Testing

/// The same request again, by another process.
@Suite(.blackBox) struct RepetitionTests {
    /// Without a reader: there is none on this machine that `readerctl` would take.
    private func again(_ amount: String, _ more: String...) -> Program {
        var program = readerctl(["sale", "--amount", amount, "--json", "--identifier", "order 7"] + more)
        program.environment["PATH"] = "/usr/bin:/bin"
        return program
    }

    @Test(
        "a repeated sale gets the answer and the exit status of the first, without a reader",
        arguments: [
            ("100.00", "visa-credit", 0), ("50.00", "visa-credit", 5), ("20.00", "bad-afl", 5),
            ("20.00", "declines-second", 5), ("20.00", "pulled-first", 6),
        ] as [(String, String, Int32)])
    func repeated(amount: String, card: String, status: Int32) async throws {
        let first = try await run(simulatedSale(amount, "--identifier", "order 7", card: card))
        #expect(first.status == status)
        let second = try await run(again(amount))
        #expect(second.status == status, "\(second)")
        #expect(second.output == first.output)
        #expect(try await run("transactions", "--json").list("transactions").count == 1)
    }

    @Test("other data under the same identifier is exit 9, says why, and records nothing")
    func otherData() async throws {
        #expect(try await run(simulatedSale("100.00", "--identifier", "order 7")).status == 0)
        for program in [again("100.01"), again("100.00", "--tip", "1.00"), again("100.00", "--reference", "x")] {
            let ended = try await run(program)
            #expect(ended.status == 9)
            #expect(try ended.text("statusinfo") == "El identifier ya se usó con otros datos")
            #expect(try ended.text("outcome") == "failed")
            #expect(try ended.text("transactionid") == "")
            #expect(ended.errors.hasSuffix("Give each payment one of its own.\n"))
        }
        #expect(try await run("transactions", "--json").list("transactions").count == 1)
    }

    @Test("sixteen processes with the same request are one charge with one answer")
    func sixteen() async throws {
        let programs = try (0..<16).map { _ in
            try Workbench.mine().start(simulatedSale("100.00", "--identifier", "order 7"))
        }
        var outputs: Set<String> = []
        for program in programs {
            let ended = await program.end()
            #expect(ended.status == 0, "\(ended)")
            outputs.insert(ended.output)
        }
        #expect(outputs.count == 1)
        #expect(try await run("transactions", "--json").list("transactions").count == 1)
        let books = Books(data: try Workbench.mine().data)
        try await books.check()
        #expect(try await books.host() == 100_00)
    }

    @Test(
        "sixteen processes with the same refund are one refund with one answer",
        .enabled(if: Prerequisites.faketime == nil, "\(Prerequisites.faketime ?? "")"))
    func sixteenRefunds() async throws {
        let noon = "2026-11-30 12:00:00"
        let sale = try await run(simulatedSale("100.00").frozen(at: noon, zone: "America/Mexico_City"))
        let id = try sale.text("transactionid")
        let programs = try (0..<16).map { _ in
            try Workbench.mine().start(
                refund(of: id, "--amount", "10.00", "--identifier", "refund 7")
                    .started(by: "faketime", "-f", "@2026-11-30 18:05:00"))
        }
        var outputs: Set<String> = []
        for program in programs { outputs.insert(await program.end().output) }
        #expect(outputs.count == 1)
        #expect(try await Books(data: Workbench.mine().data).host() == 90_00, "\(outputs)")
    }

    @Test("whoever waits for a process that is killed finds out what became of the payment")
    func killed() async throws {
        var slow = simulatedSale("74.00", "--identifier", "order 7")
        slow.limit = 120
        let first = try Workbench.mine().start(slow)
        let id = try await transaction(in: "authorizing", while: first)
        let second = try Workbench.mine().start(again("74.00"))
        first.send(SIGKILL)
        #expect(await first.end().status == 128 + SIGKILL)
        let ended = await second.end()
        #expect(ended.status == 5, "\(ended)")
        #expect(try ended.text("transactionid") == id)
        #expect(try ended.text("statusinfo") == "La transacción fue revertida")
        #expect(ended.errors == "The payment was not made (reversed). To try again, use another identifier.\n")
        let books = Books(data: try Workbench.mine().data)
        try await books.check()
        #expect(try await books.host() == 0)
    }
}
