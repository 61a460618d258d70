/// How far a sale that was approved without the host has come.
public enum OfflineState: String, Hashable, Sendable, CaseIterable {
    /// The host has not confirmed it yet.
    case stored
    /// The host has booked it.
    case forwarded
    /// The host does not pay for it.
    case refused
    /// It was taken back before the host heard of it.
    case dropped
}
