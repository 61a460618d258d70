/// Why the mock bus could not be built or could not do what was asked.
public enum MockBusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Something this rung needs is not installed, or is of a version whose protocol is not known. Tests skip on this.
    case missingPrerequisite(String)
    /// A system call failed: what was being done, and the errno's name.
    case system(String, errno: String)
    /// The request makes no sense: an unknown port, a port in use, a steering command nobody understands.
    case refused(String)

    public var description: String {
        switch self {
        case .missingPrerequisite(let reason): reason
        case .system(let what, let name): "\(what): \(name)"
        case .refused(let reason): reason
        }
    }
}
