import BERTLV
import Crypto
import EMV
import FirmwareCores
import Gateways
import JSONText
import Ledger
import Money
import Payments
import Testing
import Transport

/// A sale of 100.00 with a tip of 15.00, from the request to the reply, with the real driver, kernel and ledger.
@Suite struct ApprovedSaleTests {
    private static let details = (
        identifier: "pedido-7", reference: "Mesa 7 \"sur\"", email: "a@example.com", phone: "5550001234"
    )

    private static func sale(_ bed: PaymentBed) async throws -> PaymentResult {
        try await bed.sale(
            "100.00", tip: "15.00", instalments: .three,
            details: RequestDetails(
                identifier: details.identifier, reference: details.reference, email: details.email,
                phone: details.phone))
    }

    @Test("the reply is this text, key by key")
    func golden() async throws {
        let bed = try await PaymentBed()
        let result = try await Self.sale(bed)
        let arqc = try #require(bed.gateway.requests.first.flatMap { TLVTree(parsing: $0.chipData).first(0x9F26) })
        let expected =
            #"{"result":"aprobada","statusinfo":"","amount":"100.00","tip":"15.00","reference":"Mesa 7 \"sur\"","#
            + #""transactionid":"01KJQVA4480123456789ABCDEF","msi":3,"authorization":"897509","creditcard":"0119","#
            + #""cardtype":"VISA","email":"a@example.com","phone":"5550001234","arqc":"\#(hexText(arqc))","#
            + #""aid":"A0000000031010","applabel":"VISA CREDIT","url":"01KJQVA4480123456789ABCDEF","#
            + #""identifier":"pedido-7","bank":"Banco de Pruebas Uno","accountType":"credit","#
            + #""name":"TEST CARDHOLDER/ONE","bp_version":"0.1.0","outcome":"approved"}"#
        #expect(result.response.jsonValue.compactText == expected)
        #expect(result.failure == nil)
    }

    @Test("the chip is asked for amount and tip together, in pesos, with the local date")
    func cardSide() async throws {
        let bed = try await PaymentBed()
        _ = try await Self.sale(bed)
        let log = try #require(bed.cardLog)
        #expect(log.firstValue("9F02") == "000000011500")
        #expect(log.firstValue("9F03") == "000000000000")
        #expect(log.firstValue("5F2A") == "0484")
        #expect(log.firstValue("9F1A") == "0484")
        #expect(log.firstValue("9A") == "260302")
        #expect(log.firstValue("9C") == "00")
        #expect(log.firstValue("9F37") == "00010203")
        #expect(log.secondValue("9F02") == "000000011500")
        #expect(log.secondValue("8A") == "3030")
        #expect((log.firstAsked, log.firstAnswer, log.secondAsked, log.secondAnswer) == (0x80, 0x80, 0x40, 0x40))
        #expect(log.issuerAuthenticated == true)
    }

    /// The issuer master key of the simulated Visa issuer.
    private static let issuerKey: [UInt8] = [
        0x58, 0x9A, 0x5F, 0x3B, 0xC1, 0xA0, 0x18, 0xD6, 0xD3, 0xB3, 0x37, 0x70, 0x17, 0xA2, 0xB0, 0x89,
    ]

    @Test("arqc is the cryptogram of what the card was sent")
    func cryptogram() async throws {
        let bed = try await PaymentBed()
        let response = try await Self.sale(bed).response
        let log = try #require(bed.cardLog)
        let message = TLVTree(parsing: try #require(bed.gateway.requests.first).chipData)
        let pan = try #require(PAN(digits: "4761739001010119".compactMap { $0.wholeNumberValue.map(UInt8.init) }))
        let sent = try #require(message.first(0x9F10))
        let issuerData = try #require(IssuerApplicationData(sent))
        let cardKey = try CardKeyDerivation.optionA.cardKey(
            issuerMasterKey: SecretBytes(Self.issuerKey), pan: pan, panSequenceNumber: 1)
        let computed = try ApplicationCryptogram(
            scheme: .visa10, issuerApplicationData: issuerData, cardKey: cardKey
        ) { tag in
            switch tag {
            case 0x82: [0x1C, 0x00]
            case 0x9F36: [UInt8(log.counter >> 8), UInt8(log.counter & 0xFF)]
            default: log.first[tag.description]
            }
        }.value()
        #expect(response.arqc == hexText(computed))
        #expect(message.first(0x9F26) == computed)
    }

    @Test("the ledger holds the payment and every step of it, and no card number")
    func ledger() async throws {
        let bed = try await PaymentBed()
        let id = try await Self.sale(bed).response.transactionID
        let record = try await bed.ledger.transaction(id)
        #expect(record.amount == 10_000 && record.tip == 1_500 && record.currency == 484 && record.msi == 3)
        #expect(record.state.rawValue == "approved" && record.outcome == "approved")
        #expect(record.approvedAt == PaymentBed.noon)
        #expect(record.lastFour == "0119" && record.authorisation == "897509" && record.responseCode == "00")
        let journal = try await bed.ledger.journal(of: id)
        #expect(
            journal.map(\.to.rawValue)
                == ["created", "readerArmed", "cardPresented", "authorizing", "authorizing", "approved"])
        #expect(!"\(record)\(journal)".contains("4761739"))
    }

    @Test("the journal has the time at which the card came, though it is written later")
    func cardTime() async throws {
        let bed = try await PaymentBed()
        let result = try await bed.sale("1.00") { told in
            if told == .doNotRemoveCard { bed.wall.move(seconds: 3) }
            if told == .authorising { bed.wall.move(seconds: 2) }
        }
        let journal = try await bed.ledger.journal(of: result.response.transactionID)
        #expect(journal.map { ($0.at - PaymentBed.noon) / 1_000 } == [0, 0, 0, 3, 5, 5])
        #expect(try await bed.ledger.transaction(result.response.transactionID).updatedAt == PaymentBed.noon + 5_000)
    }

    @Test("a sale that ends before the issuer is asked has the card in its journal too, by edges of the table")
    func cardWithoutIssuer() async throws {
        for (card, end) in [("declines-first", "declined"), ("blocked-card", "failed"), ("pulled-first", "cancelled")] {
            let bed = try await PaymentBed(card: card)
            let id = try await bed.sale("1.00").response.transactionID
            let states = try await bed.ledger.journal(of: id).map(\.to)
            #expect(states.map(\.rawValue) == ["created", "readerArmed", "cardPresented", end])
            for (state, next) in zip(states, states.dropFirst()) {
                #expect(PaymentState(state)?.successors.map(\.name).contains(next) == true)
            }
        }
    }

    @Test("the person is told what to do, in order")
    func progress() async throws {
        let bed = try await PaymentBed()
        let told = Told()
        _ = try await bed.sale("1.00") { told.add($0) }
        #expect(told.all == [.insertCard, .doNotRemoveCard, .authorising, .removeCard])
    }
}
