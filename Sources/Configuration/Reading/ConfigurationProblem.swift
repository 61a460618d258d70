/// One thing that is wrong, by the path of its field. Values are not repeated: a secret may stand in the wrong place.
public struct ConfigurationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// For example `terminal.applications[2].tacOnline`; empty when the whole file is meant.
    public let path: String
    /// What is expected and what was given.
    public let message: String

    public var description: String { path.isEmpty ? message : "\(path): \(message)" }

    public init(path: String, message: String) {
        self.path = path
        self.message = message
    }
}

/// Why a configuration cannot be used: everything that is wrong with it, up to a limit.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The most problems that are listed.
    public static let maximumProblems = 20

    /// 1 ... 20, in the order of the documentation.
    public let problems: [ConfigurationProblem]
    /// How many there are beyond those.
    public let furtherProblems: Int

    /// One problem a line.
    public var lines: [String] {
        problems.map(\.description) + (furtherProblems > 0 ? ["and \(furtherProblems) more"] : [])
    }

    public var description: String { lines.joined(separator: "\n") }

    public init(_ problems: [ConfigurationProblem], furtherProblems: Int = 0) {
        self.problems = problems
        self.furtherProblems = furtherProblems
    }
}
