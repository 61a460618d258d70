public import Money

/// What is to be paid, before any card is there.
public struct TransactionData: Sendable, Hashable {
    /// Everything the card is asked to approve, tip included: tag 9F02.
    public var amount: Amount
    /// Cash back: tag 9F03.
    public var otherAmount: Amount
    public var type: TransactionType
    /// Local date and time of the terminal: tags 9A and 9F21.
    public var time: TransactionTime
    /// Tag 9F37, four bytes, fresh for each transaction.
    public var unpredictableNumber: [UInt8]
    /// Tag 9F41, 0 ... 99,999,999.
    public var sequenceCounter: UInt32
    /// 1 ... 99, fresh for each transaction: decides whether it is selected for going online (Book 3, 10.6.2).
    public var randomSelectionNumber: Int
    /// Filler for enciphered PINs (Book 2, 7.2), fresh for each transaction; as many bytes as the largest key needs for
    /// three tries. Empty where no PIN can be entered.
    public var pinFiller: [UInt8]
    /// The merchant wants to hear the issuer, whatever the card thinks.
    public var isForcedOnline: Bool
    public var offlineApproval: OfflineApprovalRule

    public init(
        amount: Amount, otherAmount: Amount? = nil, type: TransactionType = .goodsOrServices, time: TransactionTime,
        unpredictableNumber: [UInt8], sequenceCounter: UInt32, randomSelectionNumber: Int = 1,
        pinFiller: [UInt8] = [], isForcedOnline: Bool = false, offlineApproval: OfflineApprovalRule = .byActionCodes
    ) {
        self.amount = amount
        self.otherAmount = otherAmount ?? .zero(amount.currency)
        self.type = type
        self.time = time
        self.unpredictableNumber = unpredictableNumber
        self.sequenceCounter = sequenceCounter
        self.randomSelectionNumber = randomSelectionNumber
        self.pinFiller = pinFiller
        self.isForcedOnline = isForcedOnline
        self.offlineApproval = offlineApproval
    }
}

/// Tag 9C.
public enum TransactionType: UInt8, Sendable, Hashable {
    case goodsOrServices = 0x00
    case cash = 0x01
    case purchaseWithCashback = 0x09
    case refund = 0x20
}

/// A local calendar time as the card gets it. Plain numbers: which zone it is, is the caller's business.
public struct TransactionTime: Sendable, Hashable {
    /// Four digits, 1950 ... 2049 (a two-digit year on the card, Book 4 6.7.3).
    public var year: Int
    /// 1 ... 12.
    public var month: Int
    /// 1 ... 31.
    public var day: Int
    /// 0 ... 23.
    public var hour: Int
    /// 0 ... 59.
    public var minute: Int
    /// 0 ... 59.
    public var second: Int

    public init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// YYMMDD, BCD: tag 9A.
    public var dateBCD: [UInt8] { [year % 100, month, day].map(Self.bcd) }
    /// HHMMSS, BCD: tag 9F21.
    public var timeBCD: [UInt8] { [hour, minute, second].map(Self.bcd) }

    static func bcd(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: (value / 10 % 10) << 4 | value % 10)
    }
}
