/// Why devices cannot be discovered. (No device plugged in is no error.)
public enum DiscoveryError: Error, Sendable, Hashable {
    /// libudev could not be started.
    case noUdev
    /// The udev monitor could not be opened: no netlink in this container, for example.
    case noMonitor
    /// The list of devices could not be read.
    case scanFailed
    /// The process is out of threads or descriptors.
    case noResources(String)
}

extension DiscoveryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noUdev: "libudev could not be started"
        case .noMonitor: "the udev monitor could not be opened (is netlink available here?)"
        case .scanFailed: "the list of devices could not be read from udev"
        case .noResources(let what): "out of threads or descriptors (\(what))"
        }
    }
}
