import EMV
import Foundation
import Gateways
import JSONText
import Ledger
import Money
import Readers
import Testing

@testable import Payments

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
        var receipt = try #require(try await bed.receipt(result.response.transactionID))
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
            #"{"version":2,"transactionid":"01KJQVA4480123456789ABCDEF","kind":"sale","approved":true,"#
            + #""merchant":"Cinco & Diez","merchantid":"READERKIT000001","terminalid":"KIOSK001","#
            + #""time":"2026-03-02 12:00:05","amount":"100.00","tip":"15.00","total":"115.00","currency":"MXN","#
            + #""msi":3,"reference":"<Mesa> & \"7\"","original":"","cardtype":"VISA","creditcard":"0119","#
            + #""authorization":"897509","responsecode":"00","chip":{"applabel":"VISA CREDIT","#
            + #""aid":"A0000000031010","cryptogramtype":"TC","cryptogram":"0102030405060708","tvr":"8000008000","#
            + #""tsi":"7800"},"test":false,"asked":"","entry":"contactChip","verification":"none","voided":""}"#
        let receipt = try await Self.sale()
        #expect(receipt.jsonValue.compactText == expected)
        #expect(Receipt(json: expected) == receipt)
        #expect(Receipt(json: receipt.jsonValue.indentedText) == receipt)
    }

    @Test("a receipt of the first layout is read, printed and written as it was")
    func firstLayout() async throws {
        let second = try await Self.sale()
        let text = second.jsonValue.compactText
        let end = try #require(text.range(of: ",\"test\""))
        let old = String(text[..<end.lowerBound].replacing("\"version\":2", with: "\"version\":1")) + "}"
        let receipt = try #require(Receipt(json: old))
        #expect(receipt.layout == .first)
        #expect(receipt.jsonValue.compactText == old)
        for copy in ReceiptCopy.allCases {
            for language in DisplayLanguage.allCases {
                #expect(receipt.text(copy: copy, language: language) == second.text(copy: copy, language: language))
                #expect(receipt.html(copy: copy, language: language) == second.html(copy: copy, language: language))
            }
        }
    }

    @Test(
        "a text that is no receipt is none",
        arguments: [
            ("", ""), ("\"version\":2", "\"version\":3"), ("100.00", "100"), ("\"sale\"", "\"gift\""),
            ("MXN", "XXX"), ("\"msi\":3", "\"msi\":4"), ("\"approved\":true", "\"approved\":1"),
            ("\"time\":", "\"when\":"), ("7800\"}", "7800\""), ("\"test\":", "\"probe\":"),
            ("\"asked\":\"\"", "\"asked\":\"x\""),
            ("contactChip", "chip"), ("contactChip", "magneticStripe"), ("\"none\"", "\"thumb\""),
        ])
    func notAReceipt(part: String, other: String) async throws {
        let text = part.isEmpty ? "" : try await Self.sale().jsonValue.compactText.replacing(part, with: other)
        #expect(Receipt(json: text) == nil)
    }

    @Test("a declined sale has a receipt that says so, with the card's last cryptogram")
    func declined() async throws {
        let bed = try await PaymentBed()
        let id = try await bed.sale("50.00").response.transactionID
        let receipt = try #require(try await bed.receipt(id))
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
        let receipt = try #require(try await bed.receipt(id))
        let text = receipt.text(copy: .merchant, language: .spanish)
        #expect(text.contains("REEMBOLSO - APROBADA"))
        #expect(text.contains("Venta original\(String(repeating: " ", count: 2))\(sale)"))
        #expect(text.contains("40.00 MXN"))
        #expect(!text.contains("AID"))
        #expect(Receipt(json: receipt.jsonValue.compactText) == receipt)
    }

    @Test("a payment that a simulator approves says in every form that it is a test")
    func test() async throws {
        let bed = try await PaymentBed()
        let host = PaymentPipeline(
            ledger: bed.ledger, owner: bed.owner, gateway: bed.issuers, terminal: .mexicanKiosk, merchantName: "Prueba",
            clock: bed.clock, wallClock: bed.wall, random: PlainRandom(), zone: .mexicoCity(), receiptSeal: bed.seal)
        let result = await host.sale(
            try SaleRequest(amount: pesos("100.00"), details: RequestDetails()),
            openReader: { () async throws(ReaderError) in try await bed.openReader() })
        let receipt = try #require(try await bed.receipt(result.response.transactionID))
        #expect(receipt.isTest)
        #expect(receipt.jsonValue.compactText.contains("\"test\":true"))
        let spanish = receipt.text(copy: .cardholder, language: .spanish).split(separator: "\n")
        #expect(spanish[1] == "      *** PRUEBA: NO ES UN PAGO ***" && spanish.last == spanish[1])
        let english = receipt.text(copy: .merchant, language: .english)
        #expect(english.contains("*** TEST: NOT A PAYMENT ***"))
        #expect(receipt.html(copy: .merchant, language: .english).contains("<strong>TEST: NOT A PAYMENT</strong>"))
        let real = try await Self.sale()
        #expect(!real.text(copy: .merchant, language: .spanish).contains("PRUEBA"))
    }

    @Test("a simulated card's sale is a test whatever host approves it, and so is a refund of it by any program")
    func testCard() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        var simulated = bed.pipeline
        simulated.hasTestCards = true
        let sale = await simulated.sale(
            try SaleRequest(amount: pesos("100.00"), details: RequestDetails()),
            openReader: { () async throws(ReaderError) in try await bed.openReader() }
        ).response.transactionID
        let paid = try await bed.sale("60.00").response.transactionID
        bed.wall.move(seconds: 60)
        #expect(try await bed.receipt(sale)?.isTest == true)
        #expect(try await bed.receipt(paid)?.isTest == false)
        for (original, isTest) in [(sale, true), (paid, false)] {
            for amount in ["20.00", nil] {
                let refund = try await bed.refund(original, amount).response.transactionID
                #expect(try await bed.receipt(refund)?.isTest == isTest)
            }
        }
    }

    @Test("a voided sale has the receipt of its void")
    func voided() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("250.00", tip: "10.00")
        guard case .voided = await bed.pipeline.void(sale) else {
            Issue.record("not voided")
            return
        }
        let receipt = try #require(try await bed.receipt(sale))
        #expect(receipt.voidedAt == "2026-03-02 12:01:05")
        #expect(receipt.time == "2026-03-02 12:00:05")
        let text = receipt.text(copy: .cardholder, language: .spanish)
        #expect(text.contains("CANCELACIÓN DE VENTA - APROBADA"))
        #expect(text.contains("Cancelada              2026-03-02 12:01:05\n"))
        #expect(text.contains("Total                           260.00 MXN\n"))
        #expect(receipt.text(copy: .merchant, language: .english).contains("VOID OF SALE - APPROVED"))
    }

    @Test("who signs does so on the merchant's copy only", arguments: CardholderVerification.allCases)
    func signature(verification: CardholderVerification) async throws {
        var receipt = try await Self.sale()
        receipt.verification = verification
        let (merchant, cardholder) = (
            receipt.text(copy: .merchant, language: .english), receipt.text(copy: .cardholder, language: .english)
        )
        let isSigned = [.signature, .pinAndSignature].contains(verification)
        #expect(merchant.contains("\nSignature ________________________________\n") == isSigned)
        #expect(!cardholder.contains("____"))
        #expect(receipt.html(copy: .merchant, language: .spanish).contains(">Firma</p>") == isSigned)
        let word: String? =
            switch verification {
            case .none: nil
            case .pin: "Verification                           PIN\n"
            case .signature: "Verification                     SIGNATURE\n"
            case .pinAndSignature: "Verification             PIN AND SIGNATURE\n"
            }
        #expect(word.map(cardholder.contains) ?? !cardholder.contains("Verification"))
        #expect(Receipt(json: receipt.jsonValue.compactText) == receipt)
    }

    /// Book 3, table 39, and Book 4, 6.3.4.5: method, condition, result.
    @Test(
        "the method is that of tag 9F34",
        arguments: [
            ([0x1E, 0x03, 0x00], CardholderVerification.signature), ([0x5E, 0x00, 0x00], .signature),
            ([0x1E, 0x03, 0x01], .none), ([0x02, 0x00, 0x00], .pin), ([0x41, 0x03, 0x02], .pin),
            ([0x44, 0x03, 0x02], .pin), ([0x42, 0x03, 0x01], .none), ([0x03, 0x00, 0x00], .pinAndSignature),
            ([0x45, 0x00, 0x02], .pinAndSignature), ([0x1F, 0x03, 0x02], .none), ([0x3F, 0x00, 0x00], .none),
            ([], .none),
        ] as [([UInt8], CardholderVerification)])
    func method(results: [UInt8], expected: CardholderVerification) {
        #expect(CardholderVerification(results: results) == expected)
    }

    @Test("every way of entry has the fields that it must have", arguments: EntryMode.allCases)
    func required(mode: EntryMode) async throws {
        var receipt = try await Self.sale()
        receipt.entryMode = mode
        if !mode.isChip { receipt.chip = nil }
        let text = receipt.text(copy: .cardholder, language: .english)
        let always = [
            "Date", "Merchant", "Terminal", "Transaction", "Card", "Brand", "Entry", "Authorisation", "Response",
            "Amount",
            "Total", "SALE - APPROVED", "CARDHOLDER COPY", "100.00 MXN", "**** 0119",
        ]
        for part in always { #expect(text.contains(part), "\(part)") }
        let entries = [
            EntryMode.contactChip: "CHIP", .contactlessChip: "CONTACTLESS", .magneticStripe: "MAGNETIC STRIPE",
            .fallbackStripe: "MAGNETIC STRIPE", .manual: "KEYED",
        ]
        #expect(text.contains(" \(entries[mode] ?? "?")\n"))
        for part in ["Application", "AID", "TC", "TVR", "TSI"] {
            #expect(text.contains("\n\(part) ") == mode.isChip, "\(part)")
        }
        #expect(Receipt(json: receipt.jsonValue.compactText) == receipt)
    }

    @Test("no receipt holds the card's number or its expiry")
    func secrets() async throws {
        let receipt = try await Self.sale()
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("250.00")
        let declined = try await bed.sale("50.00").response.transactionID
        let refund = try await bed.refund(sale, "40.00").response.transactionID
        let voided = try await bed.approvedSale("251.00")
        _ = await bed.pipeline.void(voided)
        var texts = ["\(receipt)"]
        var receipts = [receipt]
        for id in [sale, declined, refund, voided] {
            receipts.append(try #require(try await bed.receipt(id)))
            // Without its seal: in 64 digits of a random key's code any four may come.
            let stored = try #require(try await bed.ledger.transaction(id).receipt)
            texts.append(String(try #require(stored.split(separator: ",\"seal\":").first)))
        }
        for receipt in receipts {
            texts.append(receipt.jsonValue.compactText)
            for copy in ReceiptCopy.allCases {
                for language in DisplayLanguage.allCases {
                    texts += [
                        receipt.text(copy: copy, language: language), receipt.html(copy: copy, language: language),
                    ]
                }
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
