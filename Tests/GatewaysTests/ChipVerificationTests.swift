import BERTLV
import Crypto
import EMV
import Gateways
import Money
import SeededInput
import Testing

@Suite struct ChipVerificationTests {
    @Test("a right cryptogram is approved with the answer that the card expects", arguments: SampleCard.all)
    func approved(card: SampleCard) async throws {
        let host = try SimulatedHost()
        let response = try await host.gateway.authorise(SampleRequest.chip(card), until: host.soon)
        #expect(response.responseCode == .approved)
        #expect(response.issuerData == encodeTLV(0x91, octets(card.answer)))
        #expect(response.authorisationCode?.utf8.count == 6)
        #expect(response.approvedAmount.minorUnits == 123_45)
        #expect(host.gateway.decisions.map(\.reason) == [.approved])
        #expect(host.gateway.decisions.map(\.scheme) == [card.scheme])
        #expect(host.total == 123_45)
    }

    /// Which bytes of 9F10 the cryptogram covers.
    static func coveredIssuerData(_ card: SampleCard) -> [Int] {
        switch card.scheme {
        case .visa10: Array(3..<7)
        case .mChip16, .mChip20: Array(2..<8)
        case .mChip17, .mChip21: Array(2..<8) + Array(10..<18)
        case .visa18, .visa22, .visa2C, .ccdA5, .ccdA6: Array(octets(card.issuerData).indices)
        }
    }

    @Test("any one bit wrong in what the cryptogram covers is declined", arguments: SampleCard.all)
    func flippedBit(card: SampleCard) async throws {
        let host = try SimulatedHost()
        let covered: [ObjectTag] = [
            0x9F02, 0x9F03, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37, 0x82, 0x9F36, 0x9F26, 0x9F10,
        ]
        var flips = 0
        for tag in covered {
            let value = try #require(card.objects[tag])
            let places = tag == 0x9F10 ? Self.coveredIssuerData(card) : Array(value.indices)
            for bit in places.flatMap({ ($0 * 8)..<($0 * 8 + 8) }) {
                var objects = card.objects
                objects[tag]?[bit / 8] ^= 0x80 >> UInt8(bit % 8)
                let request = try SampleRequest.chip(card, attempt: "\(tag)-\(bit)", objects: objects)
                let response = try await host.gateway.authorise(request, until: host.soon)
                #expect(response.responseCode == .declined, "\(tag) bit \(bit)")
                #expect(response.issuerData.isEmpty)
                flips += 1
            }
        }
        #expect(host.gateway.decisions.count == flips)
        let outsideShape = host.gateway.decisions.filter { $0.reason != .arqcInvalid }
        // Only 9F10 may become one of another shape or version.
        #expect(outsideShape.allSatisfy { $0.reason == .cannotVerify && $0.attempt.text.hasPrefix("9F10") })
        #expect(host.total == 0)
    }

    @Test(
        "a missing or misshapen object is declined without a guess", arguments: [0x9F26, 0x9F27, 0x9F10, 0x95, 0x9F37])
    func incomplete(number: UInt64) async throws {
        let tag = ObjectTag(number)
        let host = try SimulatedHost()
        var objects = SampleCard.visa10.objects
        objects[tag] = nil
        let absent = try SampleRequest.chip(.visa10, attempt: "absent", objects: objects)
        #expect(try await host.gateway.authorise(absent, until: host.soon).responseCode == .declined)
        #expect(host.gateway.decisions.last?.reason == .chipDataIncomplete)
        objects[tag] = [1, 2, 3]
        let short = try SampleRequest.chip(.visa10, attempt: "short", objects: objects)
        #expect(try await host.gateway.authorise(short, until: host.soon).responseCode == .declined)
        #expect(host.gateway.decisions.last?.reason == (tag == 0x9F10 ? .cannotVerify : .chipDataIncomplete))
        #expect(host.total == 0)
    }

    @Test("a TC or AAC is no request to authorise", arguments: [0x00, 0x40, 0xC0])
    func otherCryptogram(information: Int) async throws {
        let host = try SimulatedHost()
        var objects = SampleCard.visa10.objects
        objects[0x9F27] = [UInt8(information)]
        let request = try SampleRequest.chip(.visa10, objects: objects)
        #expect(try await host.gateway.authorise(request, until: host.soon).responseCode == .declined)
        #expect(host.gateway.decisions.map(\.reason) == [.notARequestCryptogram])
    }

    @Test("an issuer of one cipher does not judge cards of the other")
    func otherCipher() async throws {
        let host = try SimulatedHost()
        for (sample, pan) in [(SampleCard.ccdA6, "4761739001010119"), (SampleCard.ccdA5, "4917610000000000")] {
            let moved = SampleCard(
                scheme: sample.scheme, pan: pan, sequence: 1, issuerData: sample.issuerData,
                cryptogram: sample.cryptogram, answer: "")
            let request = try SampleRequest.chip(moved, attempt: pan.suffix(3) + "x")
            #expect(try await host.gateway.authorise(request, until: host.soon).responseCode == .declined)
        }
        #expect(host.gateway.decisions.map(\.reason) == [.cannotVerify, .cannotVerify])
    }

    @Test("another sequence number or another card's number does not verify")
    func otherCard() async throws {
        let host = try SimulatedHost()
        let card = SampleCard.visa10
        let chipData = try ChipDataProfile.request.build { card.objects[$0] }
        let sequence = SampleCard(
            scheme: .visa10, pan: card.pan, sequence: 2, issuerData: "", cryptogram: "", answer: "")
        let number = SampleCard(
            scheme: .visa10, pan: "4111111111111111", sequence: 1, issuerData: "", cryptogram: "", answer: "")
        for (attempt, other) in [("s", sequence), ("n", number)] {
            let request = try SampleRequest.chip(other, attempt: attempt, chipData: chipData)
            #expect(try await host.gateway.authorise(request, until: host.soon).responseCode == .declined)
        }
        #expect(host.gateway.decisions.map(\.reason) == [.arqcInvalid, .arqcInvalid])
    }

    @Test("a chip that saw another amount than the host is asked for is declined")
    func amountMismatch() async throws {
        let host = try SimulatedHost()
        let card = SampleCard.visa10
        let request = try AuthorisationRequest(
            attempt: SampleRequest.attempt("a"), amount: SampleRequest.amount("123.46"),
            tip: SampleRequest.amount("0.01"), pan: SampleRequest.pan(card.pan), panSequenceNumber: card.sequence,
            expiry: #require(CardExpiry(year: 2030, month: 12)), entryMode: .contactChip,
            chipData: ChipDataProfile.request.build { card.objects[$0] }, terminal: SampleRequest.terminal,
            moment: SampleRequest.moment())
        #expect(try await host.gateway.authorise(request, until: host.soon).responseCode == .invalidAmount)
        #expect(host.gateway.decisions.map(\.reason) == [.amountMismatch])
    }

    @Test("a script goes with an approval, its MAC the one that the card expects")
    func script() async throws {
        var options = IssuerSimulator.Options()
        let unblock = IssuerScript(
            phase: .afterFinalCryptogram, identifier: octets("01020304"), header: octets("84180000"))
        options.scripts = [try #require(unblock)]
        let host = try SimulatedHost(options)
        let response = try await host.gateway.authorise(SampleRequest.chip(.visa10), until: host.soon)
        // The MAC comes from the same independent script as the cards' cryptograms.
        let script = encodeTLV(0x72, octets("9F180401020304 860D 8418000008 D6FC12521983FA02"))
        #expect(response.issuerData == encodeTLV(0x91, octets(SampleCard.visa10.answer)) + script)
    }

    @Test("a wrong ARPC differs from the right one, a cut one is cut, an absent one is absent")
    func faults() async throws {
        let right = encodeTLV(0x91, octets(SampleCard.visa10.answer))
        for fault in [IssuerSimulator.Options.IssuerDataFault.wrongARPC, .truncated, .absent] {
            var options = IssuerSimulator.Options()
            options.issuerDataFault = fault
            let host = try SimulatedHost(options)
            let data = try await host.gateway.authorise(SampleRequest.chip(.visa10), until: host.soon).issuerData
            switch fault {
            case .wrongARPC: #expect(data.count == right.count && data != right)
            case .truncated: #expect(data == Array(right.dropLast(3)))
            case .absent: #expect(data.isEmpty)
            }
        }
    }

    @Test("no chip data of any kind traps or moves money", arguments: [1, 2, 3, 4])
    func random(seed: UInt64) async throws {
        var generator = SeededNumbers(seed: seed)
        let host = try SimulatedHost()
        let card = SampleCard.all[Int(seed)]
        let whole = try ChipDataProfile.request.build { card.objects[$0] }
        for round in 0..<500 {
            var data = whole
            if round % 2 == 0 {
                // Cut it, and replace a few bytes, the cryptogram always among them.
                data = Array(data.prefix(Int(generator.next() % UInt64(data.count)) + 1))
                for _ in 0..<4 {
                    data[Int(generator.next() % UInt64(data.count))] = UInt8(truncatingIfNeeded: generator.next())
                }
                if data.count > 3 { data[3] ^= 0xFF }
            } else {
                data = (0..<Int(generator.next() % 300)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            }
            let request = try SampleRequest.chip(card, attempt: "\(round)", chipData: data)
            do throws(GatewayError) {
                let response = try await host.gateway.authorise(request, until: host.soon)
                #expect(!response.responseCode.isApproved)
            } catch {
                #expect(error.code == .badRequest)
            }
        }
        #expect(host.total == 0)
    }
}
