import Gateways
import Money
import Testing
import Transport

@Suite struct BookTests {
    @Test("the same attempt gets the same answer and one booking")
    func idempotent() async throws {
        let host = try SimulatedHost()
        let request = try SampleRequest.stripe("20.00")
        let first = try await host.gateway.authorise(request, until: host.soon)
        let second = try await host.gateway.authorise(request, until: host.soon)
        #expect(first == second)
        #expect(host.gateway.entries.count == 1)
        let other = try await host.gateway.authorise(SampleRequest.stripe("20.00", attempt: "a-2"), until: host.soon)
        #expect(other.authorisationCode != first.authorisationCode)
        #expect(other.hostReference != first.hostReference)
        #expect(host.total == 40_00)
    }

    @Test("many at once with one identity book once")
    func concurrent() async throws {
        let host = try SimulatedHost()
        let request = try SampleRequest.chip(.visa10)
        let (gateway, deadline) = (host.gateway, host.soon)
        let responses = try await withThrowingTaskGroup(of: AuthorisationResponse.self) { group in
            for _ in 0..<16 { group.addTask { try await gateway.authorise(request, until: deadline) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(responses.count == 1)
        #expect(host.total == 123_45)
    }

    @Test("an identity that was used for another amount or kind leaves the outcome open")
    func reused() async throws {
        let host = try SimulatedHost()
        _ = try await host.gateway.authorise(SampleRequest.stripe("20.00"), until: host.soon)
        let reused = GatewayError.noAnswer(reason: "the attempt was used before for something else")
        await #expect(throws: reused) {
            try await host.gateway.authorise(SampleRequest.stripe("21.00"), until: host.soon)
        }
        _ = try await host.gateway.authorise(SampleRequest.stripe("20.00", attempt: "b"), until: host.soon)
        await #expect(throws: reused) {
            try await host.gateway.refund(SampleRequest.refund("20.00", of: "b", attempt: "a-1"), until: host.soon)
        }
        #expect(host.total == 40_00)
    }

    @Test("a reversal takes the money back once, however often it comes")
    func reversal() async throws {
        let host = try SimulatedHost()
        let request = try SampleRequest.stripe("191.00")
        await #expect(throws: GatewayError.self) { try await host.gateway.authorise(request, until: host.soon) }
        let reversal = try SampleRequest.reversal("191.00", of: "a-1")
        let first = try await host.gateway.reverse(reversal, until: host.soon)
        guard case .reversed = first else {
            Issue.record("the reversal must succeed")
            return
        }
        #expect(try await host.gateway.reverse(reversal, until: host.soon) == first)
        #expect(host.gateway.entries.map(\.kind) == [.sale, .reversal])
        #expect(host.total == 0)
        #expect(try await host.gateway.status(of: request.attempt, until: host.soon) == .reversed)
    }

    @Test("a reversal before its sale arrives keeps the sale out")
    func tombstone() async throws {
        let host = try SimulatedHost()
        let reversal = try SampleRequest.reversal("20.00", of: "a-1")
        #expect(try await host.gateway.reverse(reversal, until: host.soon) == .nothingToReverse)
        let late = try await host.gateway.authorise(SampleRequest.stripe("20.00"), until: host.soon)
        #expect(late.responseCode == .invalidTransaction)
        #expect(host.gateway.decisions.map(\.reason) == [.reversedBefore])
        #expect(host.total == 0)
    }

    @Test("a reversal of a decline, of another amount, or of a refunded sale takes nothing")
    func refusedReversals() async throws {
        let host = try SimulatedHost()
        _ = try await host.gateway.authorise(SampleRequest.stripe("50.00", attempt: "no"), until: host.soon)
        let declined = try SampleRequest.reversal("50.00", of: "no")
        #expect(try await host.gateway.reverse(declined, until: host.soon) == .nothingToReverse)
        _ = try await host.gateway.authorise(SampleRequest.stripe("20.00"), until: host.soon)
        let other = try SampleRequest.reversal("21.00", of: "a-1")
        #expect(try await host.gateway.reverse(other, until: host.soon) == .refused(.invalidAmount))
        _ = try await host.gateway.refund(SampleRequest.refund("5.00", of: "a-1"), until: host.soon)
        let refunded = try SampleRequest.reversal("20.00", of: "a-1")
        #expect(try await host.gateway.reverse(refunded, until: host.soon) == .refused(.invalidTransaction))
        #expect(host.total == 15_00)
    }

    @Test("a partial approval is reversed by what was asked or by what was approved", arguments: ["110.00", "100.00"])
    func partial(amount: String) async throws {
        let host = try SimulatedHost()
        _ = try await host.gateway.authorise(SampleRequest.stripe("110.00"), until: host.soon)
        #expect(host.total == 100_00)
        _ = try await host.gateway.reverse(SampleRequest.reversal(amount, of: "a-1"), until: host.soon)
        #expect(host.total == 0)
    }

    @Test("the reversal of 174.00 takes its time")
    func slowReversal() async throws {
        let host = try SimulatedHost()
        _ = try await host.gateway.authorise(SampleRequest.stripe("174.00"), until: host.soon)
        let start = host.clock.now()
        _ = try await host.gateway.reverse(SampleRequest.reversal("174.00", of: "a-1"), until: host.soon)
        #expect(start.duration(to: host.clock.now()) == .seconds(40))
    }

    @Test("refunds go up to what was approved and no further")
    func refunds() async throws {
        let host = try SimulatedHost()
        let sale = try await host.gateway.authorise(SampleRequest.stripe("20.00"), until: host.soon)
        let first = try SampleRequest.refund("15.00", of: "a-1", attempt: "r-1")
        let response = try await host.gateway.refund(first, until: host.soon)
        #expect(response.responseCode == .approved)
        #expect(response.bank == sale.bank)
        #expect(try await host.gateway.refund(first, until: host.soon) == response)
        let tooMuch = try SampleRequest.refund("5.01", of: "a-1", attempt: "r-2")
        #expect(try await host.gateway.refund(tooMuch, until: host.soon).responseCode == .invalidAmount)
        let rest = try SampleRequest.refund("5.00", of: "a-1", attempt: "r-3")
        #expect(try await host.gateway.refund(rest, until: host.soon).responseCode == .approved)
        #expect(host.gateway.entries.map(\.signedMinorUnits) == [20_00, -15_00, -5_00])
        #expect(host.total == 0)
    }

    @Test("nothing is refunded of a sale that is unknown, declined or reversed, or of a refund")
    func nothingToRefund() async throws {
        let host = try SimulatedHost()
        _ = try await host.gateway.authorise(SampleRequest.stripe("50.00", attempt: "declined"), until: host.soon)
        _ = try await host.gateway.authorise(SampleRequest.stripe("20.00", attempt: "reversed"), until: host.soon)
        _ = try await host.gateway.reverse(SampleRequest.reversal("20.00", of: "reversed"), until: host.soon)
        _ = try await host.gateway.authorise(SampleRequest.stripe("20.00", attempt: "sale"), until: host.soon)
        _ = try await host.gateway.refund(
            SampleRequest.refund("20.00", of: "sale", attempt: "refund"), until: host.soon)
        for original in ["unknown", "declined", "reversed", "refund"] {
            let request = try SampleRequest.refund("1.00", of: original, attempt: "r-" + original)
            #expect(try await host.gateway.refund(request, until: host.soon).responseCode == .invalidTransaction)
        }
        #expect(host.total == 0)
    }

    @Test("a refund of exactly 190.00 is taken and not answered, and its reversal gives the sale its rest back")
    func silentRefund() async throws {
        let host = try SimulatedHost()
        _ = try await host.gateway.authorise(SampleRequest.stripe("300.00"), until: host.soon)
        let refund = try SampleRequest.refund("190.00", of: "a-1")
        await #expect(throws: GatewayError.self) { try await host.gateway.refund(refund, until: host.soon) }
        #expect(host.total == 110_00)
        _ = try await host.gateway.reverse(SampleRequest.reversal("190.00", of: "r-1"), until: host.soon)
        #expect(host.total == 300_00)
        let whole = try SampleRequest.refund("300.00", of: "a-1", attempt: "r-2")
        #expect(try await host.gateway.refund(whole, until: host.soon).responseCode == .approved)
    }

    @Test("the host says not found for what it never saw, and declined for what it declined")
    func status() async throws {
        let host = try SimulatedHost()
        let attempt = try SampleRequest.attempt("a-1")
        #expect(try await host.gateway.status(of: attempt, until: host.soon) == .notFound)
        let response = try await host.gateway.authorise(SampleRequest.stripe("50.00"), until: host.soon)
        #expect(try await host.gateway.status(of: attempt, until: host.soon) == .declined(response))
    }
}
