import Foundation
import Ledger
import Testing

/// What is told about earlier payments: `transactions`, `transaction` and `receipt`.
@Suite(.blackBox) struct HistoryTests {
    @Test("without a ledger there are no transactions, and none is made by asking")
    func empty() async throws {
        let ended = try await run("transactions", "--json")
        #expect(ended.status == 0)
        #expect(ended.output == "{\"transactions\":[]}\n")
        #expect(try await run("transactions").errors == "There are no transactions.\n")
        expectWrongName(try await run("transaction", "01ABC"))
        expectWrongName(try await run("receipt", "01ABC"))
    }

    @Test("the newest comes first, a state can be chosen, and the journal tells the way")
    func list() async throws {
        let approved = try await run(simulatedSale("20.00", "--identifier", "k-1")).text("transactionid")
        let declined = try await run(simulatedSale("10.00")).text("transactionid")
        let all = try await run("transactions", "--json")
        #expect(try all.list("transactions").map { $0["transactionid"] as? String } == [declined, approved])
        let chosen = try await run("transactions", "--state", "approved", "--json")
        #expect(try chosen.list("transactions").map { $0["identifier"] as? String } == ["k-1"])
        let lines = try await run("transactions").output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix(declined) && lines[0].hasSuffix("sale  declined  10.00  **** 0119"))
        let one = try await run("transaction", approved, "--json")
        let steps = try one.list("journal").map { $0["to"] as? String }
        #expect(
            steps == ["created", "readerArmed", "cardPresented", "authorizing", "authorizing", "approved"])
        let text = try await run("transaction", approved)
        #expect(text.status == 0)
        #expect(text.output.contains("identifier     k-1\n"))
        #expect(text.output.contains("  cardPresented\n"))
    }

    @Test("a list of any length is whole, the newest first")
    func longList() async throws {
        let count = Ledger.largestAnswer + 57
        let data = try Workbench.mine().data
        let ledger = try await Ledger.open(directory: data)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                group.addTask {
                    for number in stride(from: task, to: count, by: 64) {
                        let new = NewTransaction(
                            id: "T\(number)", state: number == 5 ? "approved" : "declined", amount: Int64(number),
                            currency: 484)
                        _ = try? await ledger.begin(new, at: 1, durability: .written)
                    }
                }
            }
        }
        await ledger.close()
        // Millions of bytes without a card: looking for one in them takes minutes.
        defer { try? FileManager.default.removeItem(atPath: data) }
        func listed(_ more: String...) async throws -> Ended {
            var program = readerctl(["transactions"] + more)
            program.mayShowCards = true
            return try await run(program)
        }
        let all = try await listed("--json").list("transactions")
        #expect(Set(all.compactMap { $0["transactionid"] as? String }).count == count)
        #expect(try await listed().output.utf8.count { $0 == UInt8(ascii: "\n") } == count)
        let chosen = try await run("transactions", "--json", "--state", "approved").list("transactions")
        #expect(chosen.map { $0["transactionid"] as? String } == ["T5"])
    }

    @Test(
        "a receipt in each language, for each copy",
        arguments: [
            ("es", "merchant", ["VENTA - APROBADA", "COPIA COMERCIO", "Propina", "Autorización"]),
            ("es", "cardholder", ["VENTA - APROBADA", "COPIA CLIENTE", "Propina", "Autorización"]),
            ("en", "merchant", ["SALE - APPROVED", "MERCHANT COPY", "Tip", "Authorisation"]),
            ("en", "cardholder", ["SALE - APPROVED", "CARDHOLDER COPY", "Tip", "Authorisation"]),
        ])
    func receipt(language: String, copy: String, words: [String]) async throws {
        let sale = try await run(simulatedSale("100.00", "--tip", "15.00", "--reference", "<b>&\u{1B}[31m"))
        let id = try sale.text("transactionid")
        for format in ["text", "html"] {
            let ended = try await run(
                "receipt", id, "--copy", copy, "--language", language, "--format", format)
            #expect(ended.status == 0)
            #expect(ended.errors == "")
            for word in words + ["**** 0119", "115.00 MXN", id, "A0000000031010"] {
                #expect(ended.output.contains(word), "\(format): \(word)")
            }
            #expect(!ended.output.contains("\u{1B}"), "\(format): the reference steers the terminal")
            if format == "html" {
                #expect(ended.output.contains("&lt;b&gt;&amp;"))
                #expect(!ended.output.contains("<b>"))
            }
        }
    }

    @Test("the JSON of a receipt has all that the others show; Spanish, for the cardholder, is the default")
    func receiptForMachines() async throws {
        let sale = try await run(simulatedSale("100.00", "--tip", "15.00"))
        let id = try sale.text("transactionid")
        let ended = try await run("receipt", id, "--format", "json")
        for (key, value) in ["transactionid": id, "kind": "sale", "total": "115.00", "creditcard": "0119"] {
            #expect(try ended.text(key) == value)
        }
        #expect(try ended.text("authorization") == sale.text("authorization"))
        #expect(try await run("receipt", id).output.contains("COPIA CLIENTE"))
    }

    @Test("a declined sale has its receipt too")
    func declinedReceipt() async throws {
        let id = try await run(simulatedSale("10.00")).text("transactionid")
        let ended = try await run("receipt", id, "--language", "en")
        #expect(ended.status == 0)
        #expect(ended.output.contains("SALE - DECLINED"))
    }
}
