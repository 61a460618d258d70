import Gateways
import Transport

/// The simulated issuers; the time that they take is counted.
struct CountedGateway: Gateway {
    let name = "counted"
    let issuers: IssuerSimulator
    let stopwatch: Stopwatch

    func authorise(
        _ request: AuthorisationRequest, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try await stopwatch.count { () throws(GatewayError) in
            try await issuers.authorise(request, until: deadline)
        }
    }

    func forward(
        _ advice: OfflineAdvice, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try await issuers.forward(advice, until: deadline)
    }

    func refund(
        _ request: RefundAuthorisation, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try await issuers.refund(request, until: deadline)
    }

    func reverse(_ request: ReversalRequest, until deadline: Deadline) async throws(GatewayError) -> ReversalResponse {
        try await issuers.reverse(request, until: deadline)
    }

    func status(of attempt: AttemptID, until deadline: Deadline) async throws(GatewayError) -> AttemptStatus {
        try await issuers.status(of: attempt, until: deadline)
    }

    func settle(
        _ request: SettlementRequest, until deadline: Deadline
    ) async throws(GatewayError) -> SettlementResponse {
        try await issuers.settle(request, until: deadline)
    }
}
