/// Whether a magnetic stripe is taken. A stripe can be copied: the issuer may hold the merchant liable for it.
public enum StripeRule: String, Sendable, Hashable, CaseIterable {
    case never
    /// Of cards without a chip, and of those whose chip cannot be read.
    case fallback
}
