import JSONText
import Ledger
import Money
import Payments
import Testing

@Suite struct ReceiptTests {
    private static func chip() -> Receipt.Chip {
        Receipt.Chip(
            applicationName: "VISA CREDIT", aid: "A0000000031010", cryptogramType: "TC",
            cryptogram: "0102030405060708", terminalVerificationResults: "8000008000",
            transactionStatusInformation: "7800")
    }

    private static func sale() async throws -> Receipt {
        let bed = try await PaymentBed()
        let result = try await bed.sale(
            "100.00", tip: "15.00", instalments: .three, details: RequestDetails(reference: "<Mesa> & \"7\""))
        let stored = try #require(try await bed.ledger.transaction(result.response.transactionID).receipt)
        var receipt = try #require(Receipt(json: stored))
        #expect(receipt.jsonValue.compactText == stored)
        // The cryptogram is checked elsewhere; a fixed one keeps the text readable.
        #expect(receipt.chip?.cryptogram.utf8.count == 16)
        receipt.chip?.cryptogram = chip().cryptogram
        #expect(receipt.chip == chip())
        return receipt
    }

    @Test("the receipt of a sale in Spanish, for the cardholder")
    func spanish() async throws {
        let expected = """
                           Cinco & Diez
                         VENTA - APROBADA
                          COPIA CLIENTE
            ------------------------------------------
            Fecha                  2026-03-02 12:00:05
            Comercio                   READERKIT000001
            Terminal                          KIOSK001
            Transacción     01KJQVA4480123456789ABCDEF
            Tarjeta                          **** 0119
            Marca                                 VISA
            Entrada                               CHIP
            Autorización                        897509
            Respuesta                               00
            Referencia                    <Mesa> & "7"
            Monto                           100.00 MXN
            Propina                          15.00 MXN
            Total                           115.00 MXN
            Meses                                    3
            Aplicación                     VISA CREDIT
            AID                         A0000000031010
            TC                        0102030405060708
            TVR                             8000008000
            TSI                                   7800
            ------------------------------------------

            """
        let receipt = try await Self.sale()
        #expect(receipt.text(copy: .cardholder, language: .spanish) == expected)
        #expect(
            receipt.text(copy: .merchant, language: .spanish)
                == expected.replacing("              COPIA CLIENTE", with: "              COPIA COMERCIO"))
    }

    @Test("the receipt of a sale in English, for the merchant")
    func english() async throws {
        let expected = """
                           Cinco & Diez
                         SALE - APPROVED
                          MERCHANT COPY
            ------------------------------------------
            Date                   2026-03-02 12:00:05
            Merchant                   READERKIT000001
            Terminal                          KIOSK001
            Transaction     01KJQVA4480123456789ABCDEF
            Card                             **** 0119
            Brand                                 VISA
            Entry                                 CHIP
            Authorisation                       897509
            Response                                00
            Reference                     <Mesa> & "7"
            Amount                          100.00 MXN
            Tip                              15.00 MXN
            Total                           115.00 MXN
            Months                                   3
            Application                    VISA CREDIT
            AID                         A0000000031010
            TC                        0102030405060708
            TVR                             8000008000
            TSI                                   7800
            ------------------------------------------

            """
        let receipt = try await Self.sale()
        #expect(receipt.text(copy: .merchant, language: .english) == expected)
        #expect(
            receipt.text(copy: .cardholder, language: .english)
                == expected.replacing("              MERCHANT COPY", with: "             CARDHOLDER COPY"))
    }

    @Test("the page is self-contained, and nothing in it can be taken for HTML that was not meant")
    func page() async throws {
        let expected = """
            <!DOCTYPE html>
            <html lang="es">
            <meta charset="utf-8">
            <title>VENTA 01KJQVA4480123456789ABCDEF</title>
            <style>body{font-family:sans-serif;max-width:24em;margin:1em auto}th{text-align:left;padding-right:1em}
            td{text-align:right;overflow-wrap:anywhere}</style>
            <h1>Cinco &amp; Diez</h1>
            <p>VENTA - APROBADA<br>COPIA CLIENTE</p>
            <table>
            <tr><th>Fecha</th><td>2026-03-02 12:00:05</td></tr>
            <tr><th>Comercio</th><td>READERKIT000001</td></tr>
            <tr><th>Terminal</th><td>KIOSK001</td></tr>
            <tr><th>Transacción</th><td>01KJQVA4480123456789ABCDEF</td></tr>
            <tr><th>Tarjeta</th><td>**** 0119</td></tr>
            <tr><th>Marca</th><td>VISA</td></tr>
            <tr><th>Entrada</th><td>CHIP</td></tr>
            <tr><th>Autorización</th><td>897509</td></tr>
            <tr><th>Respuesta</th><td>00</td></tr>
            <tr><th>Referencia</th><td>&lt;Mesa&gt; &amp; &quot;7&quot;</td></tr>
            <tr><th>Monto</th><td>100.00 MXN</td></tr>
            <tr><th>Propina</th><td>15.00 MXN</td></tr>
            <tr><th>Total</th><td>115.00 MXN</td></tr>
            <tr><th>Meses</th><td>3</td></tr>
            <tr><th>Aplicación</th><td>VISA CREDIT</td></tr>
            <tr><th>AID</th><td>A0000000031010</td></tr>
            <tr><th>TC</th><td>0102030405060708</td></tr>
            <tr><th>TVR</th><td>8000008000</td></tr>
            <tr><th>TSI</th><td>7800</td></tr>
            </table>
            </html>

            """
        let receipt = try await Self.sale()
        #expect(receipt.html(copy: .cardholder, language: .spanish) == expected)
        let english = receipt.html(copy: .merchant, language: .english)
        #expect(english.contains("<html lang=\"en\">"))
        #expect(english.contains("<p>SALE - APPROVED<br>MERCHANT COPY</p>"))
        #expect(english.contains("<tr><th>Reference</th><td>&lt;Mesa&gt; &amp; &quot;7&quot;</td></tr>"))
    }

    @Test("the stored form is this text")
    func json() async throws {
        let expected =
            #"{"version":1,"transactionid":"01KJQVA4480123456789ABCDEF","kind":"sale","approved":true,"#
            + #""merchant":"Cinco & Diez","merchantid":"READERKIT000001","terminalid":"KIOSK001","#
            + #""time":"2026-03-02 12:00:05","amount":"100.00","tip":"15.00","total":"115.00","currency":"MXN","#
            + #""msi":3,"reference":"<Mesa> & \"7\"","original":"","cardtype":"VISA","creditcard":"0119","#
            + #""authorization":"897509","responsecode":"00","chip":{"applabel":"VISA CREDIT","#
            + #""aid":"A0000000031010","cryptogramtype":"TC","cryptogram":"0102030405060708","tvr":"8000008000","#
            + #""tsi":"7800"}}"#
        let receipt = try await Self.sale()
        #expect(receipt.jsonValue.compactText == expected)
        #expect(Receipt(json: expected) == receipt)
        #expect(Receipt(json: receipt.jsonValue.indentedText) == receipt)
    }

    @Test(
        "a text that is no receipt of this version is none",
        arguments: [
            ("", ""), ("\"version\":1", "\"version\":2"), ("100.00", "100"), ("\"sale\"", "\"gift\""),
            ("MXN", "XXX"), ("\"msi\":3", "\"msi\":4"), ("\"approved\":true", "\"approved\":1"),
            ("\"time\":", "\"when\":"), ("}}", "}"),
        ])
    func notAReceipt(part: String, other: String) async throws {
        let text = part.isEmpty ? "" : try await Self.sale().jsonValue.compactText.replacing(part, with: other)
        #expect(Receipt(json: text) == nil)
    }

    @Test("a declined sale has a receipt that says so, with the card's last cryptogram")
    func declined() async throws {
        let bed = try await PaymentBed()
        let id = try await bed.sale("50.00").response.transactionID
        let receipt = try #require(try await bed.ledger.transaction(id).receipt.flatMap(Receipt.init(json:)))
        #expect(!receipt.isApproved)
        #expect(receipt.responseCode == "05")
        #expect(receipt.chip?.cryptogramType == "AAC")
        let text = receipt.text(copy: .cardholder, language: .spanish)
        #expect(text.contains("VENTA - RECHAZADA"))
        #expect(!text.contains("Propina"))
        #expect(!text.contains("Meses"))
    }

    @Test("a refund's receipt names its sale and has no chip")
    func refund() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("250.00")
        let id = try await bed.refund(sale, "40.00").response.transactionID
        let receipt = try #require(try await bed.ledger.transaction(id).receipt.flatMap(Receipt.init(json:)))
        let text = receipt.text(copy: .merchant, language: .spanish)
        #expect(text.contains("REEMBOLSO - APROBADA"))
        #expect(text.contains("Venta original\(String(repeating: " ", count: 2))\(sale)"))
        #expect(text.contains("40.00 MXN"))
        #expect(!text.contains("AID"))
        #expect(Receipt(json: receipt.jsonValue.compactText) == receipt)
    }

    @Test("no receipt holds the card's number or its expiry")
    func secrets() async throws {
        let receipt = try await Self.sale()
        var texts = [receipt.jsonValue.compactText, "\(receipt)"]
        for copy in ReceiptCopy.allCases {
            for language in DisplayLanguage.allCases {
                texts += [receipt.text(copy: copy, language: language), receipt.html(copy: copy, language: language)]
            }
        }
        for text in texts {
            for secret in ["4761739001010119", "476173", "3012", "30-12", "12/30", "D3012"] {
                #expect(!text.contains(secret), "\(secret) in \(text)")
            }
        }
    }

    @Test(
        "a text of the caller cannot steer a printer or make a line of its own",
        arguments: ["a\nTotal 1.00 MXN", "a\u{1B}[2J", "a\r\u{7F}\u{85}", "a\u{2028}b\u{2029}", "\u{202E}a\u{200B}"])
    func control(reference: String) async throws {
        var receipt = try await Self.sale()
        let lines = receipt.text(copy: .merchant, language: .spanish).split(separator: "\n").count
        let pageLines = receipt.html(copy: .merchant, language: .spanish).split(separator: "\n").count
        receipt.reference = reference
        let text = receipt.text(copy: .merchant, language: .spanish)
        #expect(text.split(whereSeparator: \.isNewline).count == lines)
        #expect(
            !text.unicodeScalars.contains { $0 != "\n" && [.control, .format].contains($0.properties.generalCategory) })
        let page = receipt.html(copy: .merchant, language: .spanish)
        #expect(
            !page.unicodeScalars.contains { $0 != "\n" && [.control, .format].contains($0.properties.generalCategory) })
        #expect(page.split(whereSeparator: \.isNewline).count == pageLines)
        // The stored form keeps the text as it was sent.
        #expect(
            Receipt(json: receipt.jsonValue.compactText)?.reference.unicodeScalars.elementsEqual(
                reference.unicodeScalars) == true)
    }

    @Test("a value that is too long for its line gets the next one")
    func longValue() async throws {
        var receipt = try await Self.sale()
        receipt.reference = String(repeating: "x", count: 60)
        #expect(
            receipt.text(copy: .merchant, language: .spanish)
                .contains("\nReferencia\n  \(String(repeating: "x", count: 60))\n"))
    }
}
