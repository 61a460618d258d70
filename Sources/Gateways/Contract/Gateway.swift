public import Transport

/// Who authorises payments: the embedded issuer simulator or an acquirer's host. Implementations are called from the
/// payment pipeline, one call an attempt at a time; different attempts may overlap.
///
/// Every call ends by `until` or soon after. Cancelling the task makes a call return early with
/// `GatewayError.cancelled`; once the request may have left, the outcome is unknown and `status(of:until:)` or
/// `reverse(_:until:)` must settle it.
public protocol Gateway: Sendable {
    /// A short lower-case name for configuration, logs and the journal: `simulator`.
    var name: String { get }

    /// No approval of it moves money: receipts say so.
    var isSimulation: Bool { get }

    /// Whether the host can be asked what it has in its books. When it cannot, `status` always ends with `noAnswer`.
    var answersInquiries: Bool { get }

    /// Asks for money. The same attempt asked again gets the same answer and moves no more money.
    func authorise(_ request: AuthorisationRequest, until: Deadline) async throws(GatewayError)
        -> AuthorisationResponse

    /// Tells of a sale that was approved without the host, under the identity of its attempt. The host books it once,
    /// however often it is told, or says that it does not.
    func forward(_ advice: OfflineAdvice, until: Deadline) async throws(GatewayError) -> AuthorisationResponse

    /// Gives money back. The same attempt asked again gets the same answer and moves no more money.
    func refund(_ request: RefundAuthorisation, until: Deadline) async throws(GatewayError) -> AuthorisationResponse

    /// Takes back a whole attempt whose outcome is unknown or that must not stand. May be repeated.
    func reverse(_ request: ReversalRequest, until: Deadline) async throws(GatewayError) -> ReversalResponse

    /// What the host has in its books for an attempt.
    func status(of attempt: AttemptID, until: Deadline) async throws(GatewayError) -> AttemptStatus

    /// Has the host compare a batch with its own books, and close it if both agree. May be repeated: a batch that is
    /// closed gets the same answer again. Without an answer the host may have closed it.
    func settle(_ request: SettlementRequest, until: Deadline) async throws(GatewayError) -> SettlementResponse
}

extension Gateway {
    public var isSimulation: Bool { false }

    public var answersInquiries: Bool { true }
}
