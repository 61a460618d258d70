import BERTLV
import EMV
import Gateways
import Money
import Testing

/// What a host is told of a sale that was approved without it, and what the simulated one makes of it. The sample card's
/// cryptogram does not cover tag 9F27, so it is right as a TC too.
@Suite struct OfflineAdviceTests {
    private static func request(
        _ type: String = "40", attempt: String = "a-1", change: (inout [ObjectTag: [UInt8]]) -> Void = { _ in }
    ) throws -> AuthorisationRequest {
        var objects = SampleCard.visa10.objects
        objects[0x9F27] = octets(type)
        change(&objects)
        return try SampleRequest.chip(
            SampleCard.visa10, attempt: attempt, chipData: ChipData.advice { objects[$0] })
    }

    private static func advice(
        attempt: String = "a-1", change: (inout [ObjectTag: [UInt8]]) -> Void = { _ in }
    ) throws -> OfflineAdvice {
        try #require(OfflineAdvice(request(attempt: attempt, change: change), .unableToGoOnline))
    }

    @Test("only a chip's TC is an approval: no stripe, no typed number, no other cryptogram")
    func onlyCertificates() throws {
        #expect(OfflineAdvice(try SampleRequest.stripe("123.45"), .unableToGoOnline) == nil)
        for mode in EntryMode.allCases {
            let chip = try Self.request()
            let other = AuthorisationRequest(
                attempt: chip.attempt, amount: chip.amount, tip: chip.tip, account: chip.account,
                panSequenceNumber: chip.panSequenceNumber, entryMode: mode, chipData: chip.chipData,
                terminal: chip.terminal, moment: chip.moment)
            #expect((OfflineAdvice(other, .atOnce) != nil) == mode.isChip, "\(mode)")
        }
        for type in ["80", "00", "C0"] { #expect(OfflineAdvice(try Self.request(type), .atOnce) == nil, "\(type)") }
        #expect(OfflineAdvice(try Self.request { $0[0x9F26] = nil }, .atOnce) == nil)
        #expect(OfflineAdvice(try Self.request { $0[0x9F26] = [1, 2] }, .atOnce) == nil)
        let cut = try SampleRequest.chip(SampleCard.visa10, chipData: Array(Self.request().chipData.dropLast()))
        #expect(OfflineAdvice(cut, .atOnce) == nil)
    }

    @Test("its text shows no card number")
    func text() throws {
        #expect("\(try Self.advice())" == "Y3 authorise a-1: 123.45 MXN, contactChip, ************0119")
    }

    @Test("the chip data end with the terminal's code and what the terminal did")
    func chipData() throws {
        let data = try Self.request { objects in
            objects[0x8A] = Array("Y3".utf8)
            objects[0x9B] = octets("E800")
        }.chipData
        #expect(data.suffix(8) == octets("8A025933" + "9B02E800"))
    }

    @Test("it is booked once, however often it is told, and answered the same")
    func booked() async throws {
        let host = try SimulatedHost()
        let first = try await host.gateway.forward(Self.advice(), until: host.soon)
        #expect(first.responseCode == .approved && first.authorisationCode?.utf8.count == 6)
        #expect(first.issuerData.isEmpty, "the card has gone")
        #expect(try await host.gateway.forward(Self.advice(), until: host.soon) == first)
        #expect(host.total == 123_45 && host.gateway.entries.count == 1)
        #expect(
            try await host.gateway.status(of: SampleRequest.attempt("a-1"), until: host.soon) == .approved(first))
        let refund = try await host.gateway.refund(SampleRequest.refund("23.45", of: "a-1"), until: host.soon)
        #expect(refund.responseCode == .approved && host.total == 100_00)
    }

    @Test("a cryptogram that is wrong, another amount and an expired card are not paid for")
    func refused() async throws {
        let host = try SimulatedHost()
        let wrong = try Self.advice(attempt: "a-1") { $0[0x9F26]?[0] ^= 1 }
        #expect(try await host.gateway.forward(wrong, until: host.soon).responseCode == .declined)
        let terminal = try Self.advice(attempt: "a-2") { $0[0x95] = octets("0000000000") }
        #expect(try await host.gateway.forward(terminal, until: host.soon).responseCode == .declined)
        #expect(host.gateway.decisions.map(\.reason) == [.arqcInvalid, .arqcInvalid])
        #expect(host.total == 0)
    }

    @Test("one that was taken back before it came is refused")
    func reversedBefore() async throws {
        let host = try SimulatedHost()
        #expect(
            try await host.gateway.reverse(SampleRequest.reversal("123.45", of: "a-1"), until: host.soon)
                == .nothingToReverse)
        #expect(try await host.gateway.forward(Self.advice(), until: host.soon).responseCode == .invalidTransaction)
        #expect(host.total == 0)
    }
}
