import BERTLV
import EMV
import FirmwareCores
import Gateways
import Money
import Testing
import Transport

/// The simulated cards compute their cryptograms with code of their own: card and issuer agree only if both follow the
/// standard.
@Suite struct CardAndIssuerTests {
    static let terminal: [ObjectTag: [UInt8]] = [
        0x9F02: octets("000000012345"), 0x9F03: octets("000000000000"), 0x9F1A: octets("0484"),
        0x95: octets("0000008000"), 0x5F2A: octets("0484"), 0x9A: octets("261130"), 0x9C: octets("00"),
        0x9F37: octets("A1B2C3D4"), 0x9F33: octets("E0F8C8"), 0x9F34: octets("420300"), 0x9F35: octets("25"),
    ]

    /// A terminal that knows just enough to get a first and a second cryptogram.
    struct Dialogue {
        let card: EMVCardCore
        private(set) var objects = CardAndIssuerTests.terminal

        init(_ name: String) throws {
            card = EMVCardCore(profile: try #require(CardProfile.named(name)))
            _ = try #require(card.powerOn())
            let identifier = try #require(card.profile.applications.first).identifier
            let control = try send([0x00, 0xA4, 0x04, 0x00], identifier)
            let options = try command(byList: control.first(0x9F38) ?? [])
            let profile = try send([0x80, 0xA8, 0x00, 0x00], encodeTLV(0x83, options))
            if let whole = profile.first(0x80) {
                objects[0x82] = Array(whole.prefix(2))
                objects[0x94] = Array(whole.dropFirst(2))
            } else {
                keep(profile, [0x82, 0x94])
            }
            try readRecords()
        }

        private mutating func readRecords() throws {
            let locator = try #require(objects[0x94])
            for entry in stride(from: 0, to: locator.count - 3, by: 4) {
                for record in locator[entry + 1]...locator[entry + 2] {
                    keep(
                        try send([0x00, 0xB2, record, locator[entry] | 0x04], []), [0x5A, 0x5F34, 0x5F24, 0x8C, 0x8D])
                }
            }
        }

        mutating func firstCryptogram() throws {
            let data = try command(byList: #require(objects[0x8C]))
            let answer = try send([0x80, 0xAE, 0x80, 0x00], data)
            if let whole = answer.first(0x80) {
                objects[0x9F27] = [whole[0]]
                objects[0x9F36] = Array(whole[1..<3])
                objects[0x9F26] = Array(whole[3..<11])
                objects[0x9F10] = Array(whole[11...])
            } else {
                keep(answer, [0x9F27, 0x9F36, 0x9F26, 0x9F10])
            }
        }

        mutating func finish(with response: AuthorisationResponse) throws {
            let authentication = TLVTree(parsing: response.issuerData).first(0x91)
            if let authentication, try #require(objects[0x82])[0] & 0x04 != 0 {
                _ = card.transmit([0x00, 0x82, 0x00, 0x00, UInt8(authentication.count)] + authentication)
            }
            objects[0x8A] = response.responseCode.bytes
            objects[0x91] = authentication
            let data = try command(byList: #require(objects[0x8D]))
            _ = try send([0x80, 0xAE, response.responseCode.isApproved ? 0x40 : 0x00, 0x00], data)
        }

        func request() throws -> AuthorisationRequest {
            let number = try #require(objects[0x5A])
            let expiry = try #require(objects[0x5F24])
            return try AuthorisationRequest(
                attempt: SampleRequest.attempt("a-1"), amount: SampleRequest.amount("123.45"),
                tip: SampleRequest.amount("0.00"), pan: #require(PAN(compressedNumeric: number)),
                panSequenceNumber: objects[0x5F34]?.first, expiry: #require(CardExpiry(bcd: expiry)),
                entryMode: .contactChip, chipData: ChipData.request { objects[$0] }, terminal: SampleRequest.terminal,
                moment: SampleRequest.moment())
        }

        private mutating func keep(_ tree: TLVTree, _ tags: [ObjectTag]) {
            for tag in tags {
                if let value = tree.first(tag) { objects[tag] = value }
            }
        }

        private func send(_ header: [UInt8], _ data: [UInt8]) throws -> TLVTree {
            let body = data.isEmpty ? [] : [UInt8(data.count)] + data
            let reply = card.transmit(header + body + [0x00])
            try #require(reply.suffix(2) == [0x90, 0x00])
            return TLVTree(parsing: Array(reply.dropLast(2)))
        }

        /// Tag and length pairs of a data object list, all of one or two tag bytes.
        private func command(byList list: [UInt8]) throws -> [UInt8] {
            var data: [UInt8] = []
            var index = 0
            while index < list.count {
                let isLong = list[index] & 0x1F == 0x1F
                let tag = isLong ? UInt64(list[index]) << 8 | UInt64(list[index + 1]) : UInt64(list[index])
                index += isLong ? 2 : 1
                let length = Int(list[index])
                index += 1
                let value = objects[ObjectTag(tag)] ?? []
                data += value.prefix(length) + [UInt8](repeating: 0, count: max(0, length - value.count))
            }
            return data
        }
    }

    static let cards = [
        "visa-credit", "visa-cvn18", "mastercard-debit", "long-pan", "visa-cvn22", "mastercard-cvn17",
        "mastercard-cvn20", "mastercard-cvn21", "ccd", "ccd-aes",
    ]

    @Test("issuer and card accept each other's cryptograms", arguments: cards)
    func approved(name: String) async throws {
        let host = try SimulatedHost()
        var dialogue = try Dialogue(name)
        try dialogue.firstCryptogram()
        let response = try await host.gateway.authorise(dialogue.request(), until: host.soon)
        #expect(response.responseCode == .approved)
        #expect(host.gateway.decisions.map(\.reason) == [.approved])
        try dialogue.finish(with: response)
        let transaction = try #require(dialogue.card.log.last)
        #expect(transaction.issuerAuthenticated == true)
        #expect(transaction.secondAnswer == 0x40)
    }

    @Test("a card notices a wrong ARPC and declines", arguments: cards)
    func wrongARPC(name: String) async throws {
        var options = IssuerSimulator.Options()
        options.issuerDataFault = .wrongARPC
        let host = try SimulatedHost(options)
        var dialogue = try Dialogue(name)
        try dialogue.firstCryptogram()
        let response = try await host.gateway.authorise(dialogue.request(), until: host.soon)
        #expect(response.responseCode == .approved)
        try dialogue.finish(with: response)
        let transaction = try #require(dialogue.card.log.last)
        #expect(transaction.issuerAuthenticated == false)
        #expect(transaction.secondAnswer == 0x00)
    }
}
