import BERTLV
import EMV
import Gateways
import Money
import Testing
import Transport

/// A clock on which every wait ends with the task's cancellation.
private struct CancellingClock: MonotonicClock {
    func now() -> MonotonicInstant { MonotonicInstant(nanoseconds: 1_000) }

    func sleep(until instant: MonotonicInstant) async {
        withUnsafeCurrentTask { $0?.cancel() }
    }
}

@Suite struct GatewayContractTests {
    @Test("a cancelled task sends nothing")
    func cancelledBefore() async throws {
        let host = try SimulatedHost()
        let request = try SampleRequest.stripe("20.00")
        let (gateway, deadline) = (host.gateway, host.soon)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = await #expect(throws: GatewayError.cancelled(sent: false)) {
                try await gateway.authorise(request, until: deadline)
            }
        }
        await task.value
        #expect(host.total == 0)
    }

    @Test("a task that is cancelled while the host thinks does not know the outcome")
    func cancelledAfter() async throws {
        let clock = CancellingClock()
        let gateway = try IssuerSimulator(clock: clock)
        let request = try SampleRequest.stripe("74.00")
        let task = Task {
            _ = await #expect(throws: GatewayError.cancelled(sent: true)) {
                try await gateway.authorise(request, until: .after(.seconds(60), on: clock))
            }
        }
        await task.value
        #expect(gateway.bookedTotal(in: .mxn) == 74_00)
    }

    @Test("a deadline that has passed sends nothing")
    func late() async throws {
        let host = try SimulatedHost()
        let passed = Deadline(host.clock.now())
        await #expect(throws: GatewayError.notSent(reason: "no time is left")) {
            try await host.gateway.authorise(SampleRequest.stripe("20.00"), until: passed)
        }
        await #expect(throws: GatewayError.notSent(reason: "no time is left")) {
            try await host.gateway.status(of: SampleRequest.attempt("a-1"), until: passed)
        }
        #expect(host.total == 0)
    }

    @Test("a request that contradicts itself is not sent")
    func badRequests() async throws {
        let host = try SimulatedHost()
        let chipData = encodeTLV(0x9F26, octets("0011223344556677")) + encodeTLV(0x5A, octets("4761739001010119"))
        let requests = [
            try SampleRequest.stripe("20.00", tip: "20.01"), try SampleRequest.stripe("20.00", instalments: 0),
            try SampleRequest.chip(.visa10, chipData: chipData),
            try SampleRequest.chip(.visa10, chipData: encodeTLV(0xDF01, [1])),
            // The account number is cut short.
            try SampleRequest.chip(.visa10, chipData: Array(chipData.dropLast())),
            try SampleRequest.chip(.visa10, chipData: encodeTLV(0x9F10, [UInt8](repeating: 0, count: 1000)) + chipData),
        ]
        for request in requests {
            let error = await #expect(throws: GatewayError.self) {
                try await host.gateway.authorise(request, until: host.soon)
            }
            #expect(error?.code == .badRequest)
            #expect(error?.moneyMayHaveMoved == false)
        }
        #expect(host.gateway.decisions.isEmpty)
    }

    static let errors: [(GatewayError, Bool)] = [
        (.notSent(reason: "x"), false), (.noAnswer(reason: "x"), true), (.cancelled(sent: true), true),
        (.cancelled(sent: false), false), (.badRequest(reason: "x"), false),
    ]

    @Test("every error says whether money may have moved", arguments: errors)
    func money(error: GatewayError, moved: Bool) {
        #expect(error.moneyMayHaveMoved == moved)
    }

    @Test("no text form of a request, answer or decision shows card data")
    func silent() async throws {
        let host = try SimulatedHost()
        let request = try SampleRequest.chip(.visa10)
        let refund = try RefundAuthorisation(
            attempt: SampleRequest.attempt("r"), originalAttempt: request.attempt, amount: request.amount,
            pan: SampleRequest.pan(SampleCard.visa10.pan), chipData: request.chipData, terminal: request.terminal,
            moment: request.moment)
        let response = try await host.gateway.authorise(request, until: host.soon)
        var text = ""
        dump(request, to: &text)
        dump(refund, to: &text)
        dump(response, to: &text)
        dump(host.gateway.decisions, to: &text)
        dump(host.gateway.entries, to: &text)
        dump(host.gateway, to: &text)
        text += "\(request) \(String(reflecting: request)) \(refund) \(response) \(host.gateway.decisions)"
        #expect(!text.contains("4761739001010119"))
        #expect(!text.contains("476173"))
        #expect(!text.contains("390010"))
        // The first bytes of the issuer's key, as an array would print.
        #expect(!text.contains("88, 154, 95"))
        #expect(text.contains("0119"))
    }

    @Test("codes are two letters or digits", arguments: ["", "0", "000", "0 ", "é", "0\n", "٠٠"])
    func notACode(text: String) {
        #expect(ResponseCode(text) == nil)
    }

    @Test("only 00 is approved, only 10 is partial, and 08 is neither")
    func codes() throws {
        let all = (0...99).compactMap { ResponseCode(($0 < 10 ? "0" : "") + String($0)) }
        #expect(all.count == 100)
        #expect(all.filter(\.isApproved) == [.approved])
        #expect(all.filter(\.isPartial) == [.partialApproval])
        #expect(all.filter(\.isRetryAdvised) == [.issuerUnavailable, .systemError])
        #expect(ResponseCode.approved.bytes == octets("3030"))
        #expect(ResponseCode.expiredCard.text(in: .spanish) == "Tarjeta vencida")
        #expect(ResponseCode.expiredCard.text(in: .english) == "Expired card")
        #expect(try #require(ResponseCode("Z9")).text(in: .english) == "Card declined")
    }

    @Test("identities are short and printable", arguments: ["", " ", "a b", "ü", String(repeating: "a", count: 65)])
    func notAnIdentity(text: String) {
        #expect(AttemptID(text) == nil)
    }

    @Test("dates that are not in the calendar are refused")
    func dates() {
        #expect(LocalDateTime(date: octets("261331"), time: octets("120000")) == nil)
        #expect(LocalDateTime(date: octets("261200"), time: octets("120000")) == nil)
        #expect(LocalDateTime(date: octets("26120A"), time: octets("120000")) == nil)
        #expect(LocalDateTime(date: octets("261201"), time: octets("240000")) == nil)
        #expect(LocalDateTime(date: octets("2612"), time: octets("120000")) == nil)
        #expect(LocalDateTime(date: octets("491201"), time: octets("235959"))?.year == 2049)
        #expect(LocalDateTime(date: octets("501201"), time: octets("000000"))?.year == 1950)
        #expect(CardExpiry(bcd: octets("301231")) == CardExpiry(year: 2030, month: 12))
        #expect(CardExpiry(bcd: octets("3013")) == nil)
        #expect(CardExpiry(bcd: []) == nil)
    }
}
