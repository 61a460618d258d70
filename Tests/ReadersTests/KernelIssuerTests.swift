import BERTLV
import EMV
import FirmwareCores
import Gateways
import Money
import Testing
import Transport

@testable import Readers

/// A payment over QPOS and MPI up to an issuer that has the key of the reader's encryption: the PAN exists in clear only
/// there, and the cryptogram, the amount and the issuer's answer arrive as they left.
@Suite("QPOS and MPI, to the issuer and back")
struct KernelIssuerTests {
    private func opened(_ family: String, _ options: [String: String]) async throws -> (StreamBed, any KernelReader) {
        if family == "qpos" {
            let bed = try StreamBed.qpos(options)
            return (bed, try await bed.openQPOS())
        }
        let bed = try StreamBed.mpi(options)
        return (bed, try await bed.openMPI())
    }

    @Test(arguments: ["qpos", "mpi"], ["visa-credit", "visa-cvn18", "mastercard-debit", "ccd"])
    func `the cryptogram verifies, and the card takes the answer`(family: String, card: String) async throws {
        let (bed, reader) = try await opened(family, ["card": card, "part": "120"])
        let stop = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        let reading = try #require(stop.reading)
        let issuer = try IssuerSimulator(clock: bed.clock)
        let response = try await issuer.authorise(request(reading), until: bed.after(30))
        #expect(issuer.decisions.map(\.reason) == [.approved])
        let answer = HostAnswer.answered(
            responseCode: response.responseCode.bytes, isApproved: true, issuerData: response.issuerData)
        #expect(try await reader.complete(answer, until: bed.after(30)).name == "approved")
    }

    @Test(arguments: ["qpos", "mpi"])
    func `a wrong answer of the issuer makes the card decline after the approval`(family: String) async throws {
        let (bed, reader) = try await opened(family, ["card": "visa-credit"])
        let stop = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
        let reading = try #require(stop.reading)
        var options = IssuerSimulator.Options()
        options.issuerDataFault = .wrongARPC
        let issuer = try IssuerSimulator(clock: bed.clock, options: options)
        let response = try await issuer.authorise(request(reading), until: bed.after(30))
        let answer = HostAnswer.answered(
            responseCode: response.responseCode.bytes, isApproved: true, issuerData: response.issuerData)
        #expect(try await reader.complete(answer, until: bed.after(30)).name == "declined")
    }

    private func request(_ reading: CardReading) throws -> AuthorisationRequest {
        guard case .encrypted(let data, _) = reading.account, let number = data.parts[.track2Equivalent] else {
            throw ReaderError(.unsupported, during: "a test")
        }
        let plain = AccountSecuring.KeyLadder.test.decrypt(number, keySerialNumber: data.keySerialNumber)
        // Zeros fill the last block.
        let track = try #require(
            (0..<8).lazy.compactMap { Track2(equivalent: Array(plain.dropLast($0))) }.first)
        let expiry = try #require(track.expiry)
        return try AuthorisationRequest(
            attempt: #require(AttemptID("a-1")), amount: StreamBed.payment.amount, tip: .zero(.mxn), pan: track.pan,
            panSequenceNumber: reading.value(of: 0x5F34)?.first,
            expiry: #require(CardExpiry(year: expiry.year, month: expiry.month)), entryMode: .contactChip,
            chipData: ChipData.request { reading.value(of: $0) },
            terminal: TerminalIdentity(terminalID: "KIOSK001", merchantID: "MERCHANT0000001", country: 484),
            moment: #require(LocalDateTime(date: bytes("261130"), time: bytes("123456"))))
    }
}
