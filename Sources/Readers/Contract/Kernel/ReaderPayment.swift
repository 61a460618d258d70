public import EMV
public import Money

/// What a reader that runs EMV itself is asked for.
public struct ReaderPayment: Sendable, Hashable {
    /// Tag 9C.
    public enum Kind: UInt8, Sendable, Hashable {
        case purchase = 0x00
        case refund = 0x20
    }

    public let kind: Kind
    /// 9F02, tip included, with its currency (5F2A, 5F36).
    public let amount: Amount
    /// 9A and 9F21, the merchant's local time.
    public let time: TransactionTime
    /// From which the card may be read. Never empty.
    public let interfaces: Set<CardInterface>
    /// The stripe of a card with a chip may be taken after the chip has failed: in this payment, or, when the stripe is the
    /// only interface, before it.
    public let isFallbackAllowed: Bool

    /// - Parameter interfaces: all of them when empty.
    public init(
        kind: Kind = .purchase, amount: Amount, time: TransactionTime,
        interfaces: Set<CardInterface> = Set(CardInterface.allCases), isFallbackAllowed: Bool = false
    ) {
        self.kind = kind
        self.amount = amount
        self.time = time
        self.interfaces = interfaces.isEmpty ? Set(CardInterface.allCases) : interfaces
        self.isFallbackAllowed = isFallbackAllowed
    }
}

public enum CardInterface: String, Sendable, Hashable, CaseIterable {
    case contact, contactless, magneticStripe
}
