/// One check of the shared list, as data. Each can run alone: it brings the bench into the state it needs.
public struct NamedCheck: Sendable {
    public enum Group: String, Sendable, CaseIterable {
        case discovery, control, bulk, time, async, removal, `return`
        /// Beyond the thirty: leaks, races, idleness, twins.
        case endurance
        /// Beyond the thirty: what the kernel may refuse. The errno is injected, so these prove our reaction only.
        case faults
    }

    public let name: String
    public let group: Group
    /// Where it must pass.
    public let rungs: Set<Rung>
    /// How long it may take.
    public let bound: Duration
    public let body: @Sendable (CheckSession) async throws -> Void

    public init(
        _ name: String, _ group: Group, rungs: Set<Rung> = Set(Rung.allCases), bound: Duration = .seconds(5),
        _ body: @escaping @Sendable (CheckSession) async throws -> Void
    ) {
        self.name = name
        self.group = group
        self.rungs = rungs
        self.bound = bound
        self.body = body
    }
}

/// A check found what it must not find.
public struct CheckFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// A check cannot run here, for a stated reason.
public struct CheckSkip: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
