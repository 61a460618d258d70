import Gateways
import Money

/// What an issuer's answer means for a sale.
enum IssuerVerdict: Sendable, Hashable {
    case approved(TakenAmount)
    case declined
    /// The host may have booked something that is not to stand; why, for the journal.
    case unwanted(String)

    /// An approval that contradicts what was asked for is never taken: more, nothing, another sum or another currency.
    init(_ response: AuthorisationResponse, to request: SaleRequest, _ rule: PartialApprovalRule) {
        let code = response.responseCode
        switch (code.isApproved, code.isPartial) {
        case (true, _):
            self =
                response.approvedAmount == request.total
                ? .approved(TakenAmount(request)) : .unwanted("the host approved another amount than was asked for")
        case (_, true):
            guard
                let part = TakenAmount(part: response.approvedAmount, ofAmount: request.amount, tip: request.tip)
            else {
                self = .unwanted("the host's part is no part of what was asked for")
                return
            }
            self = rule == .accept ? .approved(part) : .unwanted("partial approvals are not offered here")
        default: self = .declined
        }
    }
}
