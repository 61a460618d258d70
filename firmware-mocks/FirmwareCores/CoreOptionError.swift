/// An option or a family name of a device specification that makes no sense.
public struct CoreOptionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence: what is wrong and what would be right.
    public let description: String

    public init(_ description: String) {
        self.description = description
    }

    /// About one option, by its name: `level: …`.
    public init(_ option: String, _ explanation: String) {
        description = "\(option): \(explanation)"
    }
}
