import Foundation
import Glibc
import Ledger
import Testing

/// Stored receipts: what they promise, and what becomes of changed ones.
@Suite(.blackBox) struct ReceiptTests {
    @Test("a payment by the built-in simulator is a test in every form, whatever the configuration says later")
    func test() async throws {
        let id = try await run(simulatedSale("20.00")).text("transactionid")
        let host = try Workbench.mine().path("other.json")
        try Data(#"{"gateway":{"kind":"iso8583","host":"127.0.0.1:1"}}"#.utf8).write(to: URL(fileURLWithPath: host))
        let text = try await run("receipt", id, "--config", host)
        #expect(text.status == 0 && text.errors == "")
        #expect(text.output.components(separatedBy: "*** PRUEBA: NO ES UN PAGO ***").count == 3)
        let page = try await run("receipt", id, "--language", "en", "--format", "html")
        #expect(page.output.contains("TEST: NOT A PAYMENT"))
        #expect(try await run("receipt", id, "--format", "json").object()["test"] as? Bool == true)
        var status = stat()
        #expect(stat(try Workbench.mine().data + "/receipt.key", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("a simulated card is no payment at a real host either, and its refund is none")
    func simulatedCard() async throws {
        let host = try await HostProcess()
        let id = try await run(host.sale("20.00")).text("transactionid")
        #expect(try await run("receipt", id).output.contains("*** PRUEBA: NO ES UN PAGO ***"))
        let back = try await run(refund(of: id, "--config", host.configuration).later(bySeconds: 61))
        // A minute later it may be another day in Mexico City, or past 23:00.
        if back.status == 0 {
            let receipt = try await run("receipt", back.text("transactionid"))
            #expect(receipt.output.contains("*** PRUEBA: NO ES UN PAGO ***"))
        }
        _ = try await host.close()
    }

    @Test("a voided sale has its void's receipt, a refund its own")
    func kinds() async throws {
        let id = try await run(simulatedSale("20.00")).text("transactionid")
        #expect(try await run("void", id).status == 0)
        #expect(try await run("receipt", id).output.contains("CANCELACIÓN DE VENTA - APROBADA"))
        let json = try await run("receipt", id, "--format", "json")
        #expect(try json.text("voided").count == 19)
    }

    @Test("a changed ledger or receipt, and a missing or foreign key, are refused with exit 8 and nothing is printed")
    func changed() async throws {
        let id = try await run(simulatedSale("20.00")).text("transactionid")
        let data = try Workbench.mine().data
        let key = try Data(contentsOf: URL(fileURLWithPath: data + "/receipt.key"))
        func refused(_ word: String) async throws {
            for format in ["text", "html", "json"] {
                let ended = try await run("receipt", id, "--format", format)
                #expect(ended.status == 8 && ended.output == "", "\(ended)")
                #expect(ended.errors.contains(word), "\(ended.errors)")
            }
        }
        // More than the sale was: a change that stays within the file's pages.
        let ledger = try await Ledger.open(directory: data)
        var change = TransactionChange()
        change.amount = 90_00
        _ = try await ledger.advance(id, from: ["approved"], to: "approved", change: change, at: 1)
        try await refused("otherwise about amount")
        change.amount = 20_00
        let stored = try #require(try await ledger.transaction(id).receipt)
        change.receipt = stored.replacingOccurrences(of: "\"total\":\"20.00\"", with: "\"total\":\"90.00\"")
        _ = try await ledger.advance(id, from: ["approved"], to: "approved", change: change, at: 1)
        try await refused("was changed after it was made")
        change.receipt = stored
        _ = try await ledger.advance(id, from: ["approved"], to: "approved", change: change, at: 1)
        await ledger.close()
        #expect(try await run("receipt", id).status == 0)
        unlink(data + "/receipt.key")
        try await refused("key for receipts is missing")
        // The next payment makes a key; it is not the one of before.
        #expect(try await run(simulatedSale("30.00")).status == 0)
        try await refused("sealed with another key")
        try key.write(to: URL(fileURLWithPath: data + "/receipt.key"))
        chmod(data + "/receipt.key", 0o600)
        #expect(try await run("receipt", id).status == 0)
    }

    @Test("with a key that cannot be used no payment is taken")
    func badKey() async throws {
        #expect(try await run(simulatedSale("20.00")).status == 0)
        let key = try Workbench.mine().data + "/receipt.key"
        chmod(key, 0o644)
        let ended = try await run(simulatedSale("20.00"))
        #expect(ended.status == 1 && ended.errors.contains("chmod 600"))
        #expect(try await run("transactions", "--json").list("transactions").count == 1)
    }
}
