/// A device came or went.
public enum DiscoveryEvent: Sendable, Hashable {
    case arrived(DiscoveredDevice)
    /// As it was known from its arrival: at departure there is nothing left to ask.
    case departed(DiscoveredDevice)
}
