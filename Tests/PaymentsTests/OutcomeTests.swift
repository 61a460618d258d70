import EMV
import FirmwareCores
import Gateways
import JSONText
import Ledger
import Money
import Payments
import Readers
import Testing
import Transport

/// Each way in which a sale ends, as its caller sees it. The amounts are those of the issuer simulator's table.
@Suite struct OutcomeTests {
    /// The reply for the card `visa-credit`; an arqc of sixteen digits is written as `*`.
    private static func reply(
        _ outcome: String, _ result: String, _ statusinfo: String, _ amount: String, authorization: String = "",
        host: Bool = true, card: Bool = true, receipt: Bool = true
    ) -> String {
        let id = "01KJQVA4480123456789ABCDEF"
        return
            #"{"result":"\#(result)","statusinfo":"\#(statusinfo)","amount":"\#(amount)","tip":"0.00","reference":"","#
            + #""transactionid":"\#(id)","msi":0,"authorization":"\#(authorization)","#
            + #""creditcard":"\#(card ? "0119" : "")","cardtype":"\#(card ? "VISA" : "")","email":"","phone":"","#
            + #""arqc":"\#(card ? "*" : "")","aid":"\#(card ? "A0000000031010" : "")","#
            + #""applabel":"\#(card ? "VISA CREDIT" : "")","url":"\#(receipt ? id : "")","identifier":"","#
            + #""bank":"\#(host ? "Banco de Pruebas Uno" : "")","accountType":"\#(host ? "credit" : "")","#
            + #""name":"\#(card ? "TEST CARDHOLDER/ONE" : "")","bp_version":"0.1.0","outcome":"\#(outcome)"}"#
    }

    private static func text(_ result: PaymentResult) -> String {
        var response = result.response
        if response.arqc.utf8.count == 16, response.arqc.allSatisfy(\.isHexDigit) { response.arqc = "*" }
        return response.jsonValue.compactText
    }

    @Test(
        "the issuer declines",
        arguments: [
            ("10.00", "01 Llame a su banco"), ("40.00", "04 Tarjeta declinada"), ("50.00", "05 Tarjeta declinada"),
        ])
    func declined(amount: String, statusinfo: String) async throws {
        let bed = try await PaymentBed()
        let result = try await bed.sale(amount)
        #expect(Self.text(result) == Self.reply("declined", "rechazada", statusinfo, amount))
        #expect(result.failure == nil)
        let log = try #require(bed.cardLog)
        #expect(log.secondAsked == 0x00)
        #expect(log.secondAnswer == 0x00)
        #expect(try await bed.state(result.response.transactionID) == "declined")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("an expired card goes to the issuer, who says 54")
    func expiredCard() async throws {
        let result = try await PaymentBed(card: "visa-expired").sale("20.00")
        #expect(result.response.outcome == .declined)
        #expect(result.response.statusInfo.text == "54 Tarjeta vencida")
    }

    @Test("a payment that is cancelled before the card is there")
    func cancelled() async throws {
        let bed = try await PaymentBed(card: "none")
        let result = try await bed.sale("20.00") { step in
            if step == .insertCard { withUnsafeCurrentTask { $0?.cancel() } }
        }
        #expect(
            Self.text(result)
                == Self.reply(
                    "cancelled", "error", "La transacción fue cancelada", "20.00", host: false, card: false,
                    receipt: false))
        #expect(try await bed.state(result.response.transactionID) == "cancelled")
    }

    @Test("nobody puts a card in")
    func expired() async throws {
        let bed = try await PaymentBed(card: "none")
        let begin = bed.clock.now()
        let result = try await bed.sale("20.00")
        #expect(
            Self.text(result)
                == Self.reply(
                    "expired", "error", "Se agotó el tiempo de la transacción", "20.00", host: false, card: false,
                    receipt: false))
        #expect(try await bed.state(result.response.transactionID) == "expired")
        #expect(begin.duration(to: bed.clock.now()) >= .seconds(60))
    }

    @Test("a card that breaks the rules fails the payment before anybody is asked")
    func failed() async throws {
        let bed = try await PaymentBed(card: "bad-afl")
        let result = try await bed.sale("20.00")
        #expect(result.response.outcome == .failed)
        #expect(result.response.outcome.result == "error")
        #expect(result.response.statusInfo.text == "La tarjeta no respondió correctamente")
        #expect(result.response.arqc.isEmpty)
        guard case .card(let fault) = result.failure else {
            Issue.record("the card is not named as the cause")
            return
        }
        #expect(fault.stage == .initiation)
        #expect(try await bed.state(result.response.transactionID) == "failed")
        #expect(bed.gateway.requests.isEmpty)
    }

    @Test("a card without a common application is not accepted", arguments: ["blocked-card", "blocked-application"])
    func notAccepted(card: String) async throws {
        let bed = try await PaymentBed(card: card)
        let result = try await bed.sale("20.00")
        #expect(result.response.outcome == .failed)
        #expect(result.response.statusInfo.text == "La tarjeta no es aceptada")
        #expect(bed.gateway.requests.isEmpty)
    }

    @Test("a card that declines by itself is never shown to the issuer")
    func declinedOffline() async throws {
        let bed = try await PaymentBed(card: "declines-first")
        let result = try await bed.sale("20.00")
        #expect(result.response.outcome == .declined)
        #expect(result.response.statusInfo.text == "La tarjeta rechazó la transacción")
        #expect(result.response.arqc.isEmpty)
        #expect(bed.gateway.requests.isEmpty)
    }

    @Test("a card that declines after the issuer's approval: the payment is taken back")
    func declinedAfterApproval() async throws {
        let bed = try await PaymentBed(card: "declines-second")
        let result = try await bed.sale("20.00")
        #expect(result.response.outcome == .failed)
        #expect(result.response.statusInfo.text == "La transacción fue revertida")
        #expect(try await bed.state(result.response.transactionID) == "reversed")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test(
        "no answer, or one that cannot be read, leaves the outcome unknown and never declined",
        arguments: ["190.00", "191.00"])
    func unknown(amount: String) async throws {
        let bed = try await PaymentBed()
        let result = try await bed.sale(amount)
        #expect(
            Self.text(result)
                == Self.reply(
                    "unknown", "error", "Resultado desconocido, en verificación", amount, host: false, receipt: false)
        )
        #expect(try await bed.state(result.response.transactionID) == "unknown")
        let log = try #require(bed.cardLog)
        #expect(log.secondValue("8A") == "5A33")
        #expect(log.secondAnswer == 0x00)
        #expect(bed.issuers.bookedTotal(in: .mxn) > 0)
    }

    @Test("an answer that takes forty seconds is an approval")
    func delayed() async throws {
        let bed = try await PaymentBed()
        let begin = bed.clock.now()
        let result = try await bed.sale("74.00")
        let code = result.response.authorization
        #expect(Self.text(result) == Self.reply("approved", "aprobada", "", "74.00", authorization: code))
        #expect(code.utf8.count == 6)
        #expect(begin.duration(to: bed.clock.now()) >= .seconds(40))
    }

    @Test("a partial approval is not offered: what was taken is given back")
    func partial() async throws {
        let bed = try await PaymentBed()
        let result = try await bed.sale("110.00")
        #expect(result.response.outcome == .failed)
        #expect(result.response.statusInfo.text == "La transacción fue revertida")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("the table of amounts counts the tip")
    func tipCounts() async throws {
        let result = try await PaymentBed().sale("30.00", tip: "20.00")
        #expect(result.response.statusInfo.text == "05 Tarjeta declinada")
        #expect(result.response.amount?.description == "30.00")
        #expect(result.response.tip?.description == "20.00")
    }

    @Test("without a reader nothing is begun")
    func noReader() async throws {
        let bed = try await PaymentBed()
        let request = try SaleRequest(amount: pesos("20.00"), details: RequestDetails(identifier: "a"))
        let result = await bed.pipeline.sale(
            request,
            openReader: { () async throws(ReaderError) in throw ReaderError(.notFound, during: "looking") })
        #expect(result.response.outcome == .failed)
        #expect(result.response.statusInfo.text == "No hay un lector compatible conectado")
        #expect(result.response.transactionID.isEmpty)
        #expect(result.response.identifier == "a")
        #expect(try await bed.ledger.transactions(states: nil, limit: 10).isEmpty)
    }
}
