import AcquirerHost
import Gateways
import ISO8583
import Money
import Testing
import Transport

/// The gateway against the host, over TCP.
@Suite struct GatewayAndHostTests {
    static let lines: [HostBed.Line] = {
        var lines: [HostBed.Line] = Profile.builtInNames.map { name in
            var line = HostBed.Line()
            line.profile = name
            return line
        }
        let tpdu = MessageFraming(
            prefix: .bcd2, header: [0x60, 0, 1, 0, 2], lengthCountsHeader: false, swapsAddresses: true)
        lines[0].framing = tpdu ?? .plain
        lines[1].mac = .retail
        lines[2].mac = .hmacSHA256
        lines[2].sealsCardData = true
        lines[2].signsOn = true
        lines[3].authorisation = .authorisation
        lines[3].reversal = .request
        var other = HostBed.Line()
        other.sealsCardData = true
        other.framing = MessageFraming(prefix: .ascii4) ?? .plain
        return lines + [other]
    }()

    @Test(
        "a sale, its refund, its reversal and its status, in every profile and with every dress",
        arguments: lines.indices)
    func life(index: Int) async throws {
        let bed = try HostBed(Self.lines[index])
        let sold = try await bed.gateway.authorise(sale("s1", 200_00, tip: 15_00), until: bed.soon())
        #expect(sold.responseCode == .approved)
        #expect(sold.approvedAmount == (try money(200_00)))
        #expect(sold.authorisationCode?.count == 6)
        #expect(sold.accountType == .credit)
        #expect(sold.bank == "Banco de Pruebas Uno")
        #expect(!sold.hostReference.isEmpty)
        let back = try await bed.gateway.refund(refund("r1", of: "s1", 50_00), until: bed.soon())
        #expect(back.responseCode == .approved)
        #expect(bed.net == 150_00)
        #expect(try await bed.gateway.status(of: #require(AttemptID("s1")), until: bed.soon()) == .approved(sold))
        // A sale of which a part was refunded cannot be reversed, its refund can.
        #expect(
            try await bed.gateway.reverse(reversal("s1", 200_00), until: bed.soon()) == .refused(.invalidTransaction))
        guard case .reversed = try await bed.gateway.reverse(reversal("r1", 50_00), until: bed.soon()) else {
            Issue.record("the refund was not reversed")
            return
        }
        guard case .reversed = try await bed.gateway.reverse(reversal("s1", 200_00), until: bed.soon()) else {
            Issue.record("the sale was not reversed")
            return
        }
        #expect(try await bed.gateway.status(of: #require(AttemptID("s1")), until: bed.soon()) == .reversed)
        #expect(try await bed.gateway.status(of: #require(AttemptID("s9")), until: bed.soon()) == .notFound)
        #expect(try await bed.gateway.reverse(reversal("s9"), until: bed.soon()) == .nothingToReverse)
        #expect(bed.net == 0)
        await bed.close()
    }

    @Test(
        "the issuer's answers come through", arguments: [(10_00, "01"), (40_00, "04"), (50_00, "05"), (199_00, "55")])
    func declined(minorUnits: Int, code: String) async throws {
        let bed = try HostBed()
        let answer = try await bed.gateway.authorise(sale("s1", Int64(minorUnits)), until: bed.soon())
        #expect(answer.responseCode.text == code)
        #expect(answer.authorisationCode == nil)
        #expect(answer.approvedAmount.isZero)
        #expect(bed.net == 0)
        let status = try await bed.gateway.status(of: #require(AttemptID("s1")), until: bed.soon())
        #expect(status == .declined(answer))
        await bed.close()
    }

    @Test("a partial approval says how much")
    func partial() async throws {
        let bed = try HostBed()
        let answer = try await bed.gateway.authorise(sale("s1", 110_00), until: bed.soon())
        #expect(answer.responseCode == .partialApproval)
        #expect(answer.approvedAmount == (try money(100_00)))
        #expect(bed.net == 100_00)
        await bed.close()
    }

    @Test("the same attempt asked again is a repeat, gets the same answer, and moves no more money")
    func repeated() async throws {
        let bed = try HostBed()
        let first = try await bed.gateway.authorise(sale("s1"), until: bed.soon())
        let second = try await bed.gateway.authorise(sale("s1"), until: bed.soon())
        #expect(first == second)
        #expect(bed.net == 123_45)
        let other = await #expect(throws: GatewayError.self) {
            _ = try await bed.gateway.authorise(sale("s1", 5_00), until: bed.soon())
        }
        #expect(other?.moneyMayHaveMoved == true)
        await bed.close()
    }

    @Test("without private fields an attempt is known by its reference")
    func withoutAttempts() async throws {
        var line = HostBed.Line()
        line.sendsAttempts = false
        let bed = try HostBed(line)
        _ = try await bed.gateway.authorise(sale("s1"), until: bed.soon())
        _ = try await bed.gateway.authorise(sale("s2", 1_00), until: bed.soon())
        guard case .reversed = try await bed.gateway.reverse(reversal("s1"), until: bed.soon()) else {
            Issue.record("the sale was not reversed")
            return
        }
        #expect(bed.net == 1_00)
        let unknown = await #expect(throws: GatewayError.self) {
            _ = try await bed.gateway.reverse(reversal("s3"), until: bed.soon())
        }
        #expect(unknown?.moneyMayHaveMoved == false)
        await bed.close()
    }

    @Test("many requests on one connection each get their own answer")
    func inFlight() async throws {
        let bed = try HostBed()
        let answers = try await withThrowingTaskGroup(of: (Int, AuthorisationResponse).self) { group in
            for number in 1...40 {
                group.addTask {
                    (number, try await bed.gateway.authorise(sale("s\(number)", Int64(number)), until: bed.soon()))
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for number in 1...40 { #expect(answers[number]?.approvedAmount == (try money(Int64(number)))) }
        #expect(bed.net == 820)
        #expect(bed.gateway.lineStatistics.connections == 1)
        await bed.close()
    }
}
