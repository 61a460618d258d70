import AcquirerHost
import Gateways
import Money
import Testing
import Transport

/// Each scripted fault with each message of the pipeline: what the gateway says, what the host has booked, and how it is
/// resolved afterwards.
@Suite struct HostFaultMatrixTests {
    enum Told: Hashable {
        case approved, partial, declined
        /// Unknown: a reversal is owed.
        case noAnswer
        /// Unknown, or certainly not sent: the host closed before it read.
        case nothing
    }

    static func told(_ fault: HostFault, _ operation: HostOperation) -> Told {
        switch fault {
        case .answerThenClose, .duplicateAnswer, .script71, .script72: .approved
        case .partialApproval: operation == .authorisation ? .partial : .approved
        case .referral, .wrongPIN: operation == .authorisation ? .declined : .approved
        case .noAnswer, .lateAnswer, .closeAfterBooking, .wrongMAC, .garbage, .halfFrame, .wrongSTAN: .noAnswer
        case .closeBeforeRead: .nothing
        }
    }

    private func bed(_ fault: HostFault, _ operation: HostOperation) throws -> HostBed {
        var line = HostBed.Line()
        line.mac = .hmacSHA256
        let bed = try HostBed(line)
        // Two, since a line that was closed before anything left is tried once more.
        let rule = HostFaultRule(
            fault, on: fault == .closeBeforeRead ? .connection : operation, times: fault == .closeBeforeRead ? 2 : 1)
        bed.script.add(rule)
        return bed
    }

    /// Nothing at all comes for a question: its time must run out.
    private func isAnswered(_ fault: HostFault) -> Bool {
        ![.noAnswer, .lateAnswer, .wrongSTAN].contains(fault)
    }

    private func check(_ outcome: Result<AuthorisationResponse, GatewayError>, _ expected: Told, _ fault: HostFault) {
        switch (outcome, expected) {
        case (.success(let answer), .approved): #expect(answer.responseCode == .approved)
        case (.success(let answer), .partial): #expect(answer.responseCode.isPartial)
        case (.success(let answer), .declined):
            #expect(answer.responseCode == (fault == .referral ? .callIssuer : .wrongPIN))
        case (.failure(.noAnswer), .noAnswer), (.failure(.noAnswer), .nothing), (.failure(.notSent), .nothing): break
        default: Issue.record("\(fault): \(outcome) is not \(expected)")
        }
    }

    /// The answer comes when nobody waits any more, and says what it was about.
    private func expectLate(_ questions: [LateAnswer.Question], _ bed: HostBed) async {
        bed.hostClock.advance(by: .seconds(5))
        await bed.until { !bed.late.isEmpty }
        #expect(bed.late.map(\.question) == questions)
    }

    private func isReversed(_ response: ReversalResponse) -> Bool {
        if case .reversed = response { return true }
        return false
    }

    /// A line that the host is just closing takes one more message, which is lost: recovery asks again, and so does this.
    private func repeated<Answer>(
        _ ask: () async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        for _ in 0..<3 {
            do throws(GatewayError) {
                return try await ask()
            } catch {
                guard case .noAnswer = error else { throw error }
            }
        }
        return try await ask()
    }

    @Test("a sale: what is told, what is booked, and that a reversal settles it", arguments: HostFault.allCases)
    func authorisation(fault: HostFault) async throws {
        let bed = try bed(fault, .authorisation)
        let expected = Self.told(fault, .authorisation)
        let request = try sale("s1")
        let outcome = await bed.settle(.authorisation, isAnswered: isAnswered(fault)) {
            () async throws(GatewayError) in try await bed.gateway.authorise(request, until: bed.soon())
        }
        check(outcome, expected, fault)
        if expected == .noAnswer { await bed.until { bed.hasHeard(.authorisation) } }
        let isBooked = ![.declined, .nothing].contains(expected)
        #expect(bed.net == (isBooked ? (expected == .partial ? 61_72 : 123_45) : 0))
        if fault == .lateAnswer {
            bed.hostClock.advance(by: .seconds(5))
            await bed.until { !bed.late.isEmpty }
            #expect(bed.late.map(\.attempt.text) == ["s1"])
            #expect(bed.late.map(\.question) == [.authorisation])
            #expect(bed.late.map(\.responseCode) == [.approved])
        }
        // Recovery: ask, then take back.
        bed.script.clear()
        let asked = try #require(AttemptID("s1"))
        let status = try await repeated { () async throws(GatewayError) in
            try await bed.gateway.status(of: asked, until: bed.soon())
        }
        switch status {
        case .approved: #expect(isBooked)
        case .declined: #expect(expected == .declined)
        case .notFound: #expect(expected == .nothing)
        case .reversed: Issue.record("nobody has reversed it")
        }
        let reversed = try await bed.gateway.reverse(reversal("s1"), until: bed.soon())
        #expect(isBooked ? isReversed(reversed) : reversed == .nothingToReverse)
        #expect(bed.net == 0)
        await bed.close()
    }

    @Test("a refund: the same, and the sale is whole again after its reversal", arguments: HostFault.allCases)
    func refunding(fault: HostFault) async throws {
        let bed = try bed(fault, .refund)
        if fault == .closeBeforeRead {
            // The sale's line ends with its answer, so that the refund needs one of its own, and meets the fault there.
            bed.script.clear()
            bed.script.add(HostFaultRule(.answerThenClose, on: .authorisation, times: 1))
        }
        _ = try await bed.gateway.authorise(sale("s1"), until: bed.soon())
        if fault == .closeBeforeRead { bed.script.add(HostFaultRule(fault, on: .connection, times: 2)) }
        let expected = Self.told(fault, .refund)
        let request = try refund("r1", of: "s1", 23_45)
        let outcome = await bed.settle(.refund, isAnswered: isAnswered(fault)) {
            () async throws(GatewayError) in try await bed.gateway.refund(request, until: bed.soon())
        }
        check(outcome, expected, fault)
        if expected != .nothing { await bed.until { bed.hasHeard(.refund) } }
        #expect(bed.net == (expected == .nothing ? 123_45 : 100_00))
        if fault == .lateAnswer { await expectLate([.refund], bed) }
        bed.script.clear()
        let asked = try #require(AttemptID("r1"))
        let status = try await repeated { () async throws(GatewayError) in
            try await bed.gateway.status(of: asked, until: bed.soon())
        }
        if expected == .nothing {
            #expect(status == .notFound)
            #expect(try await bed.gateway.reverse(reversal("r1", 23_45), until: bed.soon()) == .nothingToReverse)
            #expect(bed.net == 123_45)
            return await bed.close()
        }
        guard case .approved = status else {
            Issue.record("\(fault): \(status)")
            return
        }
        #expect(isReversed(try await bed.gateway.reverse(reversal("r1", 23_45), until: bed.soon())))
        #expect(bed.net == 123_45)
        await bed.close()
    }

    @Test("a reversal: sent again until it is answered, it takes the money back once", arguments: HostFault.allCases)
    func reversing(fault: HostFault) async throws {
        let bed = try bed(fault, .reversal)
        if fault == .closeBeforeRead { bed.script.clear() }
        _ = try await bed.gateway.authorise(sale("s1"), until: bed.soon())
        let expected = fault == .closeBeforeRead ? Told.approved : Self.told(fault, .reversal)
        let request = try reversal("s1")
        let outcome = await bed.settle(.reversal, isAnswered: isAnswered(fault)) {
            () async throws(GatewayError) in try await bed.gateway.reverse(request, until: bed.soon())
        }
        switch outcome {
        case .success(let answer): #expect(isReversed(answer) && expected == .approved)
        case .failure(let error): #expect(error.moneyMayHaveMoved && expected == .noAnswer, "\(fault): \(error)")
        }
        if fault == .lateAnswer { await expectLate([.reversal], bed) }
        bed.script.clear()
        let reversed = try await repeated { () async throws(GatewayError) in
            try await bed.gateway.reverse(request, until: bed.soon())
        }
        #expect(isReversed(reversed))
        #expect(bed.net == 0)
        #expect(bed.host.totals(in: .mxn).reversals == 1)
        #expect(try await bed.gateway.status(of: #require(AttemptID("s1")), until: bed.soon()) == .reversed)
        await bed.close()
    }

    @Test("an inquiry: no answer is no statement, and the next one is", arguments: HostFault.allCases)
    func asking(fault: HostFault) async throws {
        let bed = try bed(fault, .status)
        if fault == .closeBeforeRead { bed.script.clear() }
        let sold = try await bed.gateway.authorise(sale("s1"), until: bed.soon())
        let expected = fault == .closeBeforeRead ? Told.approved : Self.told(fault, .status)
        let attempt = try #require(AttemptID("s1"))
        let outcome = await bed.settle(.status, isAnswered: isAnswered(fault)) {
            () async throws(GatewayError) in try await bed.gateway.status(of: attempt, until: bed.soon())
        }
        switch outcome {
        case .success(let status): #expect(status == .approved(sold) && expected == .approved)
        case .failure(let error):
            #expect(error.code == .noAnswer && expected == .noAnswer, "\(fault): \(error)")
        }
        if fault == .lateAnswer { await expectLate([.inquiry], bed) }
        bed.script.clear()
        let status = try await repeated { () async throws(GatewayError) in
            try await bed.gateway.status(of: attempt, until: bed.soon())
        }
        #expect(status == .approved(sold))
        #expect(bed.net == 123_45)
        await bed.close()
    }
}
