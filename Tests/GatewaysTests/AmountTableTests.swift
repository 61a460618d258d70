import Gateways
import Money
import Testing
import Transport

@Suite struct AmountTableTests {
    struct Row: Sendable {
        let amount: String
        let code: ResponseCode
        let approved: Int64
        var seconds = 0
    }

    static let rows = [
        Row(amount: "10.00", code: .callIssuer, approved: 0),
        Row(amount: "40.00", code: .keepCard, approved: 0),
        Row(amount: "50.00", code: .declined, approved: 0),
        Row(amount: "74.00", code: .approved, approved: 74_00, seconds: 40),
        Row(amount: "174.00", code: .approved, approved: 174_00),
        Row(amount: "110.00", code: .partialApproval, approved: 100_00),
        Row(amount: "0.01", code: .approved, approved: 1),
        Row(amount: "10.01", code: .approved, approved: 10_01),
        Row(amount: "9999999999.99", code: .approved, approved: 999_999_999_999),
    ]

    @Test("each amount of the table has its answer, and only approvals are booked", arguments: rows)
    func table(row: Row) async throws {
        let host = try SimulatedHost()
        let start = host.clock.now()
        let response = try await host.gateway.authorise(SampleRequest.stripe(row.amount), until: host.soon)
        #expect(response.responseCode == row.code)
        #expect(response.approvedAmount.minorUnits == row.approved)
        #expect((response.authorisationCode != nil) == (row.approved > 0))
        #expect(host.total == row.approved)
        #expect(host.gateway.entries.count == (row.approved > 0 ? 1 : 0))
        #expect(start.duration(to: host.clock.now()) == .seconds(row.seconds))
    }

    @Test("the tip counts: 60.00 and 14.00 are 74.00")
    func tip() async throws {
        let host = try SimulatedHost()
        let start = host.clock.now()
        _ = try await host.gateway.authorise(SampleRequest.stripe("74.00", tip: "14.00"), until: host.soon)
        #expect(start.duration(to: host.clock.now()) == .seconds(40))
    }

    @Test("the delay is the configured one")
    func delay() async throws {
        var options = IssuerSimulator.Options()
        options.slowAnswer = .seconds(3)
        let host = try SimulatedHost(options)
        let start = host.clock.now()
        _ = try await host.gateway.authorise(SampleRequest.stripe("74.00"), until: host.soon)
        #expect(start.duration(to: host.clock.now()) == .seconds(3))
    }

    @Test("a deadline before the slow answer leaves the outcome open and the money booked; asking again gets it")
    func tooSlow() async throws {
        let host = try SimulatedHost()
        let request = try SampleRequest.stripe("74.00")
        let early = Deadline.after(.seconds(10), on: host.clock)
        await #expect(throws: GatewayError.noAnswer(reason: "no answer came in time")) {
            try await host.gateway.authorise(request, until: early)
        }
        #expect(host.clock.now() == early.instant)
        #expect(host.total == 74_00)
        let start = host.clock.now()
        #expect(try await host.gateway.authorise(request, until: host.soon).responseCode == .approved)
        #expect(start.duration(to: host.clock.now()) == .seconds(30))
        #expect(host.total == 74_00)
    }

    @Test("190.00 takes the money and is silent to the deadline; the host knows")
    func silent() async throws {
        let host = try SimulatedHost()
        let deadline = host.soon
        let request = try SampleRequest.stripe("190.00")
        for _ in 0..<2 {
            let until = max(deadline, host.soon)
            let error = await #expect(throws: GatewayError.self) {
                try await host.gateway.authorise(request, until: until)
            }
            #expect(error?.moneyMayHaveMoved == true)
            #expect(host.clock.now() == until.instant)
        }
        #expect(host.total == 190_00)
        guard case .approved(let response) = try await host.gateway.status(of: request.attempt, until: host.soon)
        else {
            Issue.record("the host must know the approval")
            return
        }
        #expect(response.approvedAmount == request.amount)
    }

    @Test("191.00 takes the money and answers garbage at once")
    func garbage() async throws {
        let host = try SimulatedHost()
        let start = host.clock.now()
        let request = try SampleRequest.stripe("191.00")
        await #expect(throws: GatewayError.noAnswer(reason: "the answer cannot be read")) {
            try await host.gateway.authorise(request, until: host.soon)
        }
        #expect(host.clock.now() == start)
        #expect(host.total == 191_00)
    }

    @Test("an unknown prefix and an expired card have their codes")
    func refused() async throws {
        let host = try SimulatedHost()
        let unknown = try SampleRequest.stripe("20.00", attempt: "u", pan: "378282246310005")
        #expect(try await host.gateway.authorise(unknown, until: host.soon).responseCode == .unknownIssuer)
        let expired = try SampleRequest.stripe("20.00", attempt: "e", expiry: CardExpiry(year: 2026, month: 10))
        #expect(try await host.gateway.authorise(expired, until: host.soon).responseCode == .expiredCard)
        let lastMonth = try SampleRequest.stripe("20.00", attempt: "l", expiry: CardExpiry(year: 2026, month: 11))
        #expect(try await host.gateway.authorise(lastMonth, until: host.soon).responseCode == .approved)
        let nothing = try SampleRequest.stripe("0.00", attempt: "z")
        #expect(try await host.gateway.authorise(nothing, until: host.soon).responseCode == .invalidAmount)
        #expect(host.gateway.decisions.map(\.reason) == [.unknownIssuer, .cardExpired, .approved, .amountZero])
        #expect(host.total == 20_00)
    }

    static let accounts: [(String, AuthorisationResponse.AccountType, String)] = [
        ("4761739001010119", .credit, "Banco de Pruebas Uno"), ("4012888888881881", .debit, "Banco de Pruebas Uno"),
        ("5413330089600044", .debit, "Banco de Pruebas Dos"), ("5555555555554444", .credit, "Banco de Pruebas Dos"),
        ("6799998900000060018", .debit, "Banco de Pruebas Dos"),
    ]

    @Test("account type and bank follow from the prefix", arguments: accounts.indices)
    func account(index: Int) async throws {
        let (pan, accountType, bank) = Self.accounts[index]
        let host = try SimulatedHost()
        let response = try await host.gateway.authorise(SampleRequest.stripe("20.00", pan: pan), until: host.soon)
        #expect(response.accountType == accountType)
        #expect(response.bank == bank)
    }
}
