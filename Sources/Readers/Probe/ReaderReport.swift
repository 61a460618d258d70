/// What `readerctl probe` says about one reader.
public struct ReaderReport: Sendable, Hashable {
    public enum State: String, Sendable, Hashable, CaseIterable {
        case ready, busy, denied, unsupported, fault
    }

    public let reader: FoundReader
    public let state: State
    public let card: CardPresence
    public let firmware: String?
    public let capabilities: [String]
    public let heldBy: String?
    public let problems: [ReaderProblem]
}
