/// A terminal's count of a batch, for the host to compare with its own.
public struct SettlementRequest: Sendable, Hashable {
    /// 1 and up. A terminal and a batch's number stand for one batch, however often it is sent.
    public let batch: Int64
    public let terminal: TerminalIdentity
    public let totals: BatchTotals
    /// The host is to close the batch whether it agrees or not.
    public let closesAnyway: Bool

    public init(batch: Int64, terminal: TerminalIdentity, totals: BatchTotals, closesAnyway: Bool = false) {
        self.batch = batch
        self.terminal = terminal
        self.totals = totals
        self.closesAnyway = closesAnyway
    }
}

/// What the host says to it.
public enum SettlementResponse: Sendable, Hashable {
    /// The host has counted the same, and has closed the batch, now or when it was asked before. Its totals, where it
    /// tells them.
    case agreed(BatchTotals?)
    /// It has counted something else.
    ///
    /// - Parameter isClosed: it has closed the batch all the same, because it was told to, now or before.
    case differs(BatchTotals?, isClosed: Bool)
    /// It keeps no batches: nothing was compared.
    case notKept
}
