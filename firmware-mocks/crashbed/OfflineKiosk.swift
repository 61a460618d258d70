import Crypto
import EMV
import Gateways
import Money
import Payments
import Transport

/// The line to the host: nothing leaves while it is down. Its host may answer a void without carrying it out.
struct Line: Gateway {
    let name = "line"
    let host: IssuerSimulator
    let isDown: Bool
    var voids = Options.Voids.carriedOut
    let record: AnswerRecord

    func authorise(
        _ request: AuthorisationRequest, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try check()
        let answer = try await host.authorise(request, until: deadline)
        record.expect()
        return answer
    }

    func forward(
        _ advice: OfflineAdvice, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try check()
        return try await host.forward(advice, until: deadline)
    }

    func refund(
        _ request: RefundAuthorisation, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try check()
        return try await host.refund(request, until: deadline)
    }

    func reverse(
        _ request: ReversalRequest, until deadline: Deadline
    ) async throws(GatewayError) -> ReversalResponse {
        try check()
        switch voids {
        case .refused where request.reason == .void: return .refused(.invalidTransaction)
        case .nothingFound where request.reason == .void: return .nothingToReverse
        default: return try await host.reverse(request, until: deadline)
        }
    }

    func status(of attempt: AttemptID, until deadline: Deadline) async throws(GatewayError) -> AttemptStatus {
        try check()
        return try await host.status(of: attempt, until: deadline)
    }

    func settle(
        _ request: SettlementRequest, until deadline: Deadline
    ) async throws(GatewayError) -> SettlementResponse {
        try check()
        return try await host.settle(request, until: deadline)
    }

    private func check() throws(GatewayError) {
        if isDown { throw .notSent(reason: "the line is down") }
    }
}

extension TerminalConfiguration {
    /// Knows the keys of the test cards, decides offline, and has a floor limit that a sale of these tests stays below.
    static func offlineKiosk() throws -> TerminalConfiguration {
        var terminal = TerminalConfiguration.mexicanKiosk
        terminal.terminalType = .unattendedOfflineWithOnline
        terminal.certificationAuthorityKeys = try .test()
        for index in terminal.applications.indices { terminal.applications[index].floorLimit = 1_000_00 }
        return terminal
    }
}

extension OfflineSettings {
    struct Unusable: Error {}

    static func crashBed() throws -> OfflineSettings {
        let approvals = try Approvals(
            perSale: Amount(parsing: "500.00", currency: .mxn), total: Amount(parsing: "1000.00", currency: .mxn),
            count: 5,
            longestWait: .seconds(86_400))
        let key = SecretBytes([UInt8](repeating: 0xC5, count: 32))
        guard let settings = OfflineSettings(key: key, approvals: approvals) else { throw Unusable() }
        return settings
    }
}
