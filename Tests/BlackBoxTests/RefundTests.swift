import Foundation
import Testing

/// Refunds in later processes, with the clock moved by libfaketime.
@Suite(.blackBox, .enabled(if: Prerequisites.faketime == nil, "\(Prerequisites.faketime ?? "")"))
struct RefundTests {
    private static let zone = "America/Mexico_City"

    @Test("a refund within the first minute is refused; after it, it is approved, whole and with the tip")
    func minute() async throws {
        let sale = try await run(simulatedSale("100.00", "--tip", "15.00"))
        let id = try sale.text("transactionid")
        let early = try await run(refund(of: id))
        #expect(early.status == 9)
        #expect(try early.text("statusinfo") == "Debe pasar al menos 1 minuto desde la aprobación")
        #expect(try early.text("outcome") == "failed")
        #expect(try early.text("transactionid") == "")
        #expect(early.errors.hasSuffix(".\n"))
        let (date, hour) = Self.now()
        let late = try await run(refund(of: id, "--identifier", "r-1").later(bySeconds: 61))
        // A minute later it may be another day in Mexico City, or past 23:00.
        guard hour < 22 else { return #expect([0, 9].contains(late.status), "\(date)") }
        #expect(late.status == 0)
        #expect(try late.text("amount") == "115.00")
        #expect(try late.text("identifier") == "r-1")
        #expect(try late.text("creditcard") == "0119")
        let stored = try await run("transaction", id, "--json")
        #expect(try stored.text("state") == "refunded")
    }

    @Test("the window's edges are exact to the second, whatever the machine's own zone is")
    func edges() async throws {
        let sale = try await run(simulatedSale("100.00").frozen(at: "2026-11-30 12:00:00", zone: Self.zone))
        #expect(sale.status == 0)
        let id = try sale.text("transactionid")
        let moments: [(String, String, Int32, String)] = [
            ("2026-11-30 12:00:59", Self.zone, 9, "Debe pasar al menos 1 minuto desde la aprobación"),
            ("2026-11-30 12:01:00", Self.zone, 0, ""),
            ("2026-11-30 22:59:59", Self.zone, 0, ""),
            ("2026-11-30 23:00:00", Self.zone, 9, "El reembolso sólo es posible el mismo día antes de las 23:00"),
            ("2026-12-01 00:00:00", Self.zone, 9, "El reembolso sólo es posible el mismo día antes de las 23:00"),
            ("2026-12-01 12:00:00", Self.zone, 9, "El reembolso sólo es posible el mismo día antes de las 23:00"),
            // Tokyo is fifteen hours ahead of Mexico City: 22:59:59 and 23:00:00 there.
            ("2026-12-01 13:59:59", "Asia/Tokyo", 0, ""),
            ("2026-12-01 14:00:00", "Asia/Tokyo", 9, "El reembolso sólo es posible el mismo día antes de las 23:00"),
            ("2026-12-01 04:59:59", "UTC", 0, ""),
            ("2026-12-01 05:00:00", "UTC", 9, "El reembolso sólo es posible el mismo día antes de las 23:00"),
        ]
        for (moment, zone, status, text) in moments {
            let ended = try await run(refund(of: id, "--amount", "10.00").frozen(at: moment, zone: zone))
            #expect(ended.status == status, "\(moment) \(zone): \(ended)")
            #expect(try ended.text("statusinfo") == text, "\(moment) \(zone)")
        }
    }

    @Test("a sale after 23:00 cannot be refunded at all, and one before midnight not after it")
    func lateSale() async throws {
        let sale = try await run(simulatedSale("100.00").frozen(at: "2026-11-30 23:30:00", zone: Self.zone))
        let id = try sale.text("transactionid")
        for moment in ["2026-11-30 23:45:00", "2026-12-01 00:01:00", "2026-12-01 22:59:59"] {
            #expect(try await run(refund(of: id).frozen(at: moment, zone: Self.zone)).status == 9, "\(moment)")
        }
    }

    @Test("in parts up to the sum of amount and tip, and not a cent more")
    func parts() async throws {
        let noon = "2026-11-30 12:00:00"
        let later = "2026-11-30 12:05:00"
        let sale = try await run(simulatedSale("100.00", "--tip", "15.00").frozen(at: noon, zone: Self.zone))
        let id = try sale.text("transactionid")
        let first = try await run(refund(of: id, "--amount", "40.00").frozen(at: later, zone: Self.zone))
        #expect(first.status == 0)
        let tooMuch = try await run(refund(of: id, "--amount", "75.01").frozen(at: later, zone: Self.zone))
        #expect(tooMuch.status == 9)
        #expect(try tooMuch.text("statusinfo") == "El monto excede el monto reembolsable")
        #expect(try await run("transaction", id, "--json").text("state") == "partiallyRefunded")
        let rest = try await run(refund(of: id).frozen(at: later, zone: Self.zone))
        #expect(try rest.text("amount") == "75.00")
        #expect(try await run(refund(of: id).frozen(at: later, zone: Self.zone)).status == 9)
        let stored = try await run("transaction", first.text("transactionid"), "--json")
        #expect(try stored.text("kind") == "refund")
        #expect(try stored.text("original") == id)
    }

    @Test("a sale that is not there or not approved is refused by a rule")
    func refused() async throws {
        let missing = try await run(refund(of: "01M8N3RZ22PMK8CYZ1BD9NJRBF"))
        #expect(missing.status == 9)
        #expect(try missing.text("statusinfo") == "La transacción original no existe")
        let declined = try await run(simulatedSale("10.00"))
        let ended = try await run(refund(of: declined.text("transactionid")).later(bySeconds: 61))
        #expect(ended.status == 9)
        #expect(try ended.text("statusinfo") == "La transacción original no está aprobada")
    }

    /// The present date and hour in Mexico City, six hours behind UTC.
    private static func now() -> (date: Int, hour: Int) {
        let seconds = Int(Date().timeIntervalSince1970) - 6 * 3600
        return (seconds / 86_400, seconds % 86_400 / 3600)
    }
}
