import BERTLV
import EMV
import FirmwareCores
import Gateways
import Money
import ReaderWire
import Testing

@testable import Readers

/// A payment from the tap to the answer of an issuer that has the key of the reader's encryption: the PAN exists in clear
/// only there.
@Suite struct NEO2IssuerTests {
    static let cards = ["visa-credit", "visa-cvn18", "mastercard-debit", "mastercard-cvn17", "ccd"]

    @Test("the cryptogram verifies, and the card takes the answer", arguments: cards, [true, false])
    func approved(card: String, isInserted: Bool) async throws {
        let bed = try NEO2Bed(.hid, ["card": card, "entry": isInserted ? "inserted" : "tapped"])
        let reader = try await bed.open()
        let stop = try await bed.start(reader, [isInserted ? .contact : .contactless])
        let reading = try #require(stop.reading)
        let issuer = try IssuerSimulator(clock: bed.clock)
        let response = try await issuer.authorise(request(reading), until: bed.after(30))
        #expect(issuer.decisions.map(\.reason) == [.approved])
        let answer = HostAnswer.answered(
            responseCode: response.responseCode.bytes, isApproved: true, issuerData: response.issuerData)
        let last = try await reader.complete(answer, until: bed.after(30))
        #expect(name(last) == (isInserted ? "approved contactChip" : "approved contactlessChip"))
        guard isInserted else { return }
        #expect(bed.cardLog?.issuerAuthenticated == true)
        #expect(bed.cardLog?.secondAnswer == 0x40)
    }

    @Test("a wrong answer of the issuer makes the card decline after the approval")
    func wrongAnswer() async throws {
        let bed = try NEO2Bed(.hid, ["card": "visa-credit"])
        let reader = try await bed.open()
        let reading = try #require(try await bed.start(reader, [.contact]).reading)
        var options = IssuerSimulator.Options()
        options.issuerDataFault = .wrongARPC
        let issuer = try IssuerSimulator(clock: bed.clock, options: options)
        let response = try await issuer.authorise(request(reading), until: bed.after(30))
        let answer = HostAnswer.answered(
            responseCode: response.responseCode.bytes, isApproved: true, issuerData: response.issuerData)
        #expect(name(try await reader.complete(answer, until: bed.after(30))) == "declined contactChip")
    }

    private func request(_ reading: CardReading) throws -> AuthorisationRequest {
        guard case .encrypted(let data, _) = reading.account, let number = data.parts[.track2Equivalent] else {
            throw ReaderError(.unsupported, during: "a test")
        }
        let plain = AccountSecuring.KeyLadder.test.decrypt(number, keySerialNumber: data.keySerialNumber)
        // Zeros fill the last block; a track has none at its end here but its own.
        let track = try #require(Track2(equivalent: Array(plain.prefix(17))) ?? Track2(equivalent: plain))
        let expiry = try #require(track.expiry)
        return try AuthorisationRequest(
            attempt: #require(AttemptID("a-1")), amount: #require(Amount(minorUnits: 12_345, currency: .mxn)),
            tip: .zero(.mxn), pan: track.pan, panSequenceNumber: reading.value(of: 0x5F34)?.first,
            expiry: #require(CardExpiry(year: expiry.year, month: expiry.month)),
            entryMode: reading.entry == .contactChip ? .contactChip : .contactlessChip,
            chipData: ChipData.request { reading.value(of: $0) },
            terminal: TerminalIdentity(terminalID: "KIOSK001", merchantID: "MERCHANT0000001", country: 484),
            moment: #require(LocalDateTime(date: bytes("261130"), time: bytes("120000"))))
    }
}
