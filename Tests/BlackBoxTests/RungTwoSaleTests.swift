import Foundation
import Testing

/// Payments through the real libusb and libudev, on the mock bus.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct RungTwoSaleTests {
    @Test(
        "a sale at each exchange level, with a card of each protocol",
        arguments: ["extended", "short", "tpdu"], ["visa-credit", "visa-t0", "mastercard-t1", "mastercard-debit"])
    func levels(level: String, card: String) async throws {
        let reader = try await MockReader("ccid:card=\(card),level=\(level)")
        let sale = try await reader.run("sale", "--amount", "100.00", "--tip", "15.00", "--json")
        #expect(sale.status == 0, "\(sale)")
        #expect(try sale.text("outcome") == "approved")
        #expect(try sale.text("arqc").count == 16)
        await reader.close()
    }

    @Test(
        "high speed, no interrupt pipe, no empty packets: each kind of reader takes a payment",
        arguments: ["packet=512", "interrupt=no", "zlp=no", "autovoltage=no", "interrupt=no,level=tpdu,packet=512"])
    func kinds(options: String) async throws {
        let reader = try await MockReader("ccid:card=visa-credit,\(options)")
        #expect(try await reader.run("sale", "--amount", "100.00", "--json").status == 0)
        await reader.close()
    }

    @Test(
        "a sale and its refund in processes of their own, under libfaketime and umockdev's preload together",
        .enabled(if: Prerequisites.faketime == nil, "\(Prerequisites.faketime ?? "")"))
    func refunded() async throws {
        let reader = try await MockReader("ccid:card=visa-credit")
        let zone = "America/Mexico_City"
        let sale = try await run(
            reader.seen(by: readerctl(["sale", "--amount", "100.00", "--tip", "15.00", "--json"]))
                .frozen(at: "@2026-11-30 12:00:00", zone: zone))
        #expect(sale.status == 0, "\(sale)")
        let id = try sale.text("transactionid")
        let receipt = try await run("receipt", id)
        #expect(receipt.output.contains("2026-11-30 12:00:"))
        let early = try await run(reader.seen(by: refund(of: id)).frozen(at: "2026-11-30 12:00:30", zone: zone))
        #expect(early.status == 9)
        let late = try await run(reader.seen(by: refund(of: id)).frozen(at: "2026-11-30 12:02:00", zone: zone))
        #expect(late.status == 0, "\(late)")
        #expect(try late.text("amount") == "115.00")
        await reader.close()
    }

    @Test("a card that comes later is waited for")
    func cardLater() async throws {
        let reader = try await MockReader("ccid:card=none")
        let sale = try reader.start("sale", "--amount", "20.00", "--json")
        _ = try await transaction(in: "readerArmed", while: sale)
        try await reader.steer("1-1 insert mastercard-debit")
        let ended = await sale.end()
        #expect(ended.status == 0, "\(ended)")
        #expect(try ended.text("creditcard") == "0044")
        await reader.close()
    }

    @Test("no card in time is exit 6 and expired")
    func noCard() async throws {
        let reader = try await MockReader("ccid:card=none")
        let ended = try await reader.run("sale", "--amount", "20.00", "--timeout", "1", "--json")
        #expect(ended.status == 6)
        #expect(try ended.text("outcome") == "expired")
        #expect(try ended.text("statusinfo") == "Se agotó el tiempo de la transacción")
        await reader.close()
    }

    @Test("a reader that leaves while it waits is exit 4; back again, it takes the next payment")
    func unplugged() async throws {
        let reader = try await MockReader("ccid:card=none")
        let sale = try reader.start("sale", "--amount", "20.00", "--json")
        let id = try await transaction(in: "readerArmed", while: sale)
        try await reader.steer("1-1 unplug")
        let ended = await sale.end()
        #expect(ended.status == 4, "\(ended)")
        #expect(try ended.text("statusinfo") == "Se perdió la conexión con el lector")
        #expect(try await run("transaction", id, "--json").text("state") == "failed")
        try await reader.steer("1-1 plug")
        try await reader.steer("1-1 insert visa-credit")
        #expect(try await reader.run("sale", "--amount", "20.00", "--json").status == 0)
        await reader.close()
    }
}
