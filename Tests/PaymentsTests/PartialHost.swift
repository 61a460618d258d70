import Gateways
import Money
import Synchronization
import Transport

/// Issuers that approve what they are told to, between the pipeline and the simulator's book.
final class PartialHost: Gateway {
    let name = "partial"
    private let issuers: IssuerSimulator
    private let approved: @Sendable (Amount) -> Int64?
    private let told: @Sendable (AuthorisationResponse) -> AuthorisationResponse
    /// Books, and does not answer.
    let isSilent = Mutex(false)
    let refusesReversals = Mutex(false)
    /// Says of refunds, now and when it is asked later, that a part of them is approved.
    let halvesRefunds = Mutex(false)

    /// - Parameters:
    ///   - approved: minor units of the part; nil: by the amount.
    ///   - told: what becomes of the answer on its way.
    init(
        _ issuers: IssuerSimulator, approved: @escaping @Sendable (Amount) -> Int64? = { _ in nil },
        told: @escaping @Sendable (AuthorisationResponse) -> AuthorisationResponse = { $0 }
    ) {
        self.issuers = issuers
        self.approved = approved
        self.told = told
    }

    func authorise(
        _ request: AuthorisationRequest, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        var instruction = IssuerInstruction()
        instruction.behaviour = approved(request.amount).map { .partial($0) }
        let answer = try await issuers.authorise(request, until: deadline, instructed: instruction)
        if isSilent.withLock({ $0 }) { throw .noAnswer(reason: "the line is cut") }
        return told(answer)
    }

    func forward(
        _ advice: OfflineAdvice, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try await issuers.forward(advice, until: deadline)
    }

    func refund(
        _ request: RefundAuthorisation, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        half(try await issuers.refund(request, until: deadline))
    }

    func reverse(
        _ request: ReversalRequest, until deadline: Deadline
    ) async throws(GatewayError) -> ReversalResponse {
        if refusesReversals.withLock({ $0 }) { return .refused(.invalidTransaction) }
        return try await issuers.reverse(request, until: deadline)
    }

    func settle(
        _ request: SettlementRequest, until deadline: Deadline
    ) async throws(GatewayError) -> SettlementResponse {
        try await issuers.settle(request, until: deadline)
    }

    func status(of attempt: AttemptID, until deadline: Deadline) async throws(GatewayError) -> AttemptStatus {
        guard case .approved(let answer) = try await issuers.status(of: attempt, until: deadline) else {
            return .notFound
        }
        return .approved(half(answer))
    }

    private func half(_ answer: AuthorisationResponse) -> AuthorisationResponse {
        guard halvesRefunds.withLock({ $0 }), answer.issuerData.isEmpty,
            let part = Amount(
                minorUnits: answer.approvedAmount.minorUnits / 2, currency: answer.approvedAmount.currency)
        else { return answer }
        return answer.approving(part, code: .partialApproval)
    }
}

extension AuthorisationResponse {
    func approving(_ amount: Amount, code: ResponseCode? = nil) -> AuthorisationResponse {
        AuthorisationResponse(
            responseCode: code ?? responseCode, authorisationCode: authorisationCode, issuerData: issuerData,
            approvedAmount: amount, accountType: accountType, bank: bank, hostReference: hostReference)
    }
}
