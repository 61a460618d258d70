public import EMV
public import Money

/// A request for money. Its text form never shows card data.
public struct AuthorisationRequest: Sendable {
    public let attempt: AttemptID
    /// Everything that is asked for, tip included: what the chip saw in 9F02.
    public let amount: Amount
    /// The part of `amount` that is a tip.
    public let tip: Amount
    /// Monthly payments without interest; 1 when paid at once.
    public let instalments: Int
    public let account: AccountData
    /// Tag 5F34, 0 ... 99; nil when the card has none.
    public let panSequenceNumber: UInt8?
    public let entryMode: EntryMode
    /// Field 55: BER-TLV of the first GENERATE AC, byte for byte; empty unless the entry mode is a chip's.
    public let chipData: [UInt8]
    /// A PIN for the issuer, if a pad took one.
    public let pinBlock: PINBlock?
    public let terminal: TerminalIdentity
    public let moment: LocalDateTime

    public init(
        attempt: AttemptID, amount: Amount, tip: Amount, instalments: Int = 1, account: AccountData,
        panSequenceNumber: UInt8?, entryMode: EntryMode, chipData: [UInt8], pinBlock: PINBlock? = nil,
        terminal: TerminalIdentity, moment: LocalDateTime
    ) {
        self.attempt = attempt
        self.amount = amount
        self.tip = tip
        self.instalments = instalments
        self.account = account
        self.panSequenceNumber = panSequenceNumber
        self.entryMode = entryMode
        self.chipData = chipData
        self.pinBlock = pinBlock
        self.terminal = terminal
        self.moment = moment
    }

    /// With the account in clear.
    public init(
        attempt: AttemptID, amount: Amount, tip: Amount, instalments: Int = 1, pan: PAN, panSequenceNumber: UInt8?,
        expiry: CardExpiry, entryMode: EntryMode, chipData: [UInt8], pinBlock: PINBlock? = nil,
        terminal: TerminalIdentity, moment: LocalDateTime
    ) {
        self.init(
            attempt: attempt, amount: amount, tip: tip, instalments: instalments, account: .clear(pan, expiry),
            panSequenceNumber: panSequenceNumber, entryMode: entryMode, chipData: chipData, pinBlock: pinBlock,
            terminal: terminal, moment: moment)
    }
}

extension AuthorisationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "authorise \(attempt): \(amount) \(amount.currency.code), \(entryMode.rawValue), \(account)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
