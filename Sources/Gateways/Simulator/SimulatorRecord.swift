import Money
import Transport

/// What the simulated host remembers of one attempt.
struct SimulatorRecord: Sendable {
    let asked: Amount
    let kind: BookEntry.Kind
    let response: AuthorisationResponse
    let behaviour: TestAmount
    /// When the host has finished thinking.
    let availableAt: MonotonicInstant
    /// The sale that a refund belongs to.
    let original: AttemptID?
    /// Who asked; nil when it was not told.
    var terminal: BookTerminal?
    var isReversed = false
    /// Approved refunds of this sale that stand, in minor units.
    var refundedMinorUnits: Int64 = 0

    var isApproved: Bool { response.responseCode.isApproved || response.responseCode.isPartial }

    func declined(_ code: ResponseCode) -> SimulatorRecord {
        let response = AuthorisationResponse(
            responseCode: code, authorisationCode: nil, issuerData: [], approvedAmount: .zero(asked.currency),
            accountType: response.accountType, bank: response.bank, hostReference: response.hostReference)
        return SimulatorRecord(
            asked: asked, kind: kind, response: response, behaviour: .approve, availableAt: availableAt, original: nil,
            terminal: terminal)
    }

    /// With the account and bank of the sale that it refunds.
    func naming(_ sale: AuthorisationResponse?) -> SimulatorRecord {
        let response = AuthorisationResponse(
            responseCode: response.responseCode, authorisationCode: response.authorisationCode,
            issuerData: response.issuerData, approvedAmount: response.approvedAmount, accountType: sale?.accountType,
            bank: sale?.bank, hostReference: response.hostReference)
        return SimulatorRecord(
            asked: asked, kind: kind, response: response, behaviour: behaviour, availableAt: availableAt,
            original: original, terminal: terminal)
    }
}
