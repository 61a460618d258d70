/// Why a profile was refused.
public enum ProfileError: Error, Hashable, Sendable {
    /// Not JSON.
    case unreadable
    /// A key is missing, unknown, or has a value that it does not take. Keys within keys are joined by dots.
    case key(String)
    /// A field's number, format, encoding or length does not fit.
    case field(String)
}

extension ProfileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable: "The profile is not JSON."
        case .key(let name): "The profile is wrong at '\(name)': a key is missing, unknown, or has a wrong value."
        case .field(let name):
            "The profile's field '\(name)' is wrong: its number, format, encoding and length must fit."
        }
    }
}
