public import Payments

/// A request of another app, checked: it can be carried out once its token is known to be good.
public struct AppRequest: Sendable {
    public enum Operation: Sendable {
        /// `venta`
        case sale(AppSale)
        /// `devolucion`
        case refund(RefundRequest)
    }

    public let operation: Operation
    public let token: UserToken
    public let replyAddress: ReplyAddress
}

/// A sale with what only requests by URL can ask for.
public struct AppSale: Sendable, Hashable {
    public let request: SaleRequest
    /// The operator may attach a photo.
    public let showPhotoButton: Bool
    /// No authorisation without a photo.
    public let mandatoryPhoto: Bool
    /// The caller got the request by scanning a QR code.
    public let comesFromQR: Bool
}
