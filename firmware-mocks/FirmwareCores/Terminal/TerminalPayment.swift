/// What the host asks a reader's kernel for.
public struct TerminalPayment: Sendable, Hashable {
    /// Whatever the host sent: 9F02, 9F03, 9A, 9C, 9F21, 5F2A, 5F36 … They win over the terminal's own values.
    public var objects: TerminalObjects
    /// From which a card may be read.
    public var interfaces: Set<CardPresentation>
    /// After a chip that cannot be read the stripe may be used.
    public var allowsFallback: Bool

    public init(
        objects: TerminalObjects, interfaces: Set<CardPresentation> = Set(CardPresentation.allCases),
        allowsFallback: Bool = true
    ) {
        self.objects = objects
        self.interfaces = interfaces
        self.allowsFallback = allowsFallback
    }
}

/// How a cardholder gives a card to the reader.
public enum CardPresentation: String, Sendable, Hashable, CaseIterable {
    case inserted, tapped, swiped
}
