import BERTLV
import EMV
import FirmwareCores
import Gateways
import Money
import Testing

/// The EMV of the simulated readers' firmware builds CDOL1 by itself: the issuer accepts its cryptograms only if it did
/// so by the standard, and the card accepts the issuer's answer only if it came through whole.
struct ReaderKernelAndIssuerTests {
    private func request(_ result: TerminalResult, _ attempt: String = "a-1") throws -> AuthorisationRequest {
        let account = result.account.shown
        let expiry = try #require(result.objects["5F24"])
        return try AuthorisationRequest(
            attempt: SampleRequest.attempt(attempt), amount: SampleRequest.amount("123.45"),
            tip: SampleRequest.amount("0.00"), pan: #require(PAN(compressedNumeric: account.accountNumber)),
            panSequenceNumber: result.objects["5F34"]?.first, expiry: #require(CardExpiry(bcd: expiry)),
            entryMode: result.entry == .contact ? .contactChip : .contactlessChip,
            chipData: ChipData.request { result.objects[Self.name($0)] }, terminal: SampleRequest.terminal,
            moment: SampleRequest.moment())
    }

    private static func name(_ tag: ObjectTag) -> String { String(tag.number, radix: 16, uppercase: true) }

    private static let payment: TerminalPayment = {
        var objects = TerminalObjects()
        objects["9F02"] = octets("000000012345")
        objects["9A"] = octets("261130")
        objects["9F21"] = octets("120000")
        return TerminalPayment(objects: objects)
    }()

    @Test("cryptograms of a reader's own kernel verify", arguments: CardAndIssuerTests.cards, [true, false])
    func verified(card: String, isInserted: Bool) async throws {
        let host = try SimulatedHost()
        let terminal = FirmwareTerminal()
        terminal.present(
            EMVCardCore(profile: try #require(CardProfile.named(card))), isInserted ? .inserted : .tapped)
        guard case .online(let result) = terminal.start(Self.payment) else {
            Issue.record("not online")
            return
        }
        let response = try await host.gateway.authorise(request(result), until: host.soon)
        #expect(response.responseCode == .approved)
        #expect(host.gateway.decisions.map(\.reason) == [.approved])
        var answer = try #require(TerminalObjects(parsing: response.issuerData))
        answer["8A"] = response.responseCode.bytes
        guard case .approved = terminal.complete(answer) else {
            Issue.record("not approved")
            return
        }
        guard isInserted else { return }
        let seen = try #require(terminal.card?.log.last)
        #expect(seen.issuerAuthenticated == true)
        #expect(seen.secondAnswer == 0x40)
    }

    @Test func scriptsReachTheCard() async throws {
        var options = IssuerSimulator.Options()
        options.scripts = try [.beforeFinalCryptogram, .afterFinalCryptogram].map { phase in
            try #require(IssuerScript(phase: phase, identifier: [0, 0, 0, 1], header: [0x04, 0xDA, 0x9F, 0x58]))
        }
        let host = try SimulatedHost(options)
        let terminal = FirmwareTerminal()
        terminal.present(EMVCardCore(profile: try #require(CardProfile.named("visa-credit"))), .inserted)
        guard case .online(let result) = terminal.start(Self.payment) else {
            Issue.record("not online")
            return
        }
        let response = try await host.gateway.authorise(request(result), until: host.soon)
        var answer = try #require(TerminalObjects(parsing: response.issuerData))
        answer["8A"] = response.responseCode.bytes
        guard case .approved(let last) = terminal.complete(answer) else {
            Issue.record("not approved")
            return
        }
        #expect(terminal.card?.log.last?.scriptCommands == 2)
        #expect(last.objects["9F5B"] == octets("20 00000001 20 00000001"))
    }
}
