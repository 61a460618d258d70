/// What the merchant knows about a card from before (Book 3, 10.6.1; Book 4, 6.3.5): the exception file, and what the same
/// card paid offline since the last clearing. Asked by the kernel while the card waits, so it must answer from memory.
public protocol CardHistory: Sendable {
    func isOnExceptionFile(_ pan: PAN, sequenceNumber: UInt8?) -> Bool
    /// Minor units of the transaction's currency, not negative.
    func storedOfflineAmount(_ pan: PAN, sequenceNumber: UInt8?) -> Int64
}

/// A terminal that keeps no history.
public struct NoCardHistory: CardHistory {
    public init() {}
    public func isOnExceptionFile(_ pan: PAN, sequenceNumber: UInt8?) -> Bool { false }
    public func storedOfflineAmount(_ pan: PAN, sequenceNumber: UInt8?) -> Int64 { 0 }
}
