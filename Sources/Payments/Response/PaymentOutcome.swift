/// How a payment ended. `unknown` is never shown as declined; it stays in the ledger until it is resolved.
public enum PaymentOutcome: String, Sendable, Hashable, CaseIterable {
    case approved, declined, cancelled, expired, failed, unknown

    /// The `result` of the response model.
    public var result: String {
        switch self {
        case .approved: "aprobada"
        case .declined: "rechazada"
        case .cancelled, .expired, .failed, .unknown: "error"
        }
    }
}
