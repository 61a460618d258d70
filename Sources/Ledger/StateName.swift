/// The name of a state as it is written to disk, for example `authorizing`. What the states mean, and which edge between
/// them is allowed, belongs to the layer above.
public struct StateName: RawRepresentable, Hashable, Sendable {
    /// 1 to 64 characters.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension StateName: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }
}

extension StateName: CustomStringConvertible {
    public var description: String { rawValue }
}
