/// What becomes of a sale of which the issuer approves only a part (response code 10).
public enum PartialApprovalRule: String, Sendable, Hashable, CaseIterable {
    /// The part is given back at once: all of the sale or nothing.
    case reverse
    /// The part is taken. The rest is to be paid by other means.
    case accept
}
