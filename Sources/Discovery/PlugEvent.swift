/// A device came or went.
public enum PlugEvent<Device: Sendable & Hashable>: Sendable, Hashable {
    case arrived(Device)
    /// As it was known from its arrival: at departure there is nothing left to ask.
    case departed(Device)

    public var device: Device {
        switch self {
        case .arrived(let device), .departed(let device): device
        }
    }
}

/// A USB device came or went.
public typealias DiscoveryEvent = PlugEvent<DiscoveredDevice>

/// A tty came or went.
public typealias TTYEvent = PlugEvent<DiscoveredTTY>
