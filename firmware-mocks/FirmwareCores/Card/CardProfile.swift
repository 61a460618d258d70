/// A simulated card: what is on it and how it behaves. Profiles are data files; this is one of them, read and checked.
public struct CardProfile: Sendable {
    /// The file's name and the word for `--simulate` and `insert`.
    public let name: String
    /// For people.
    public let title: String
    /// The scheme, in capitals: VISA, MASTERCARD, MAESTRO.
    public let brand: String
    /// "credit" or "debit", as the BIN of a real card would say.
    public let accountType: String
    /// 0 or 1: the transmission protocol of ISO 7816-3 that the answer to reset offers.
    public let transmissionProtocol: UInt8
    /// Largest information field of a T=1 block to the card, 1 ... 254 bytes.
    public let maximumBlock: UInt8
    public let hasDirectory: Bool
    /// 9F36 before the first transaction.
    public let counter: UInt16
    public let applications: [CardApplication]
    public let behaviour: CardBehaviour

    /// The answer to reset of an EMV card (EMV Book 1, 8.3).
    public var answerToReset: [UInt8] {
        let historical: [UInt8] = Array("MOCK".utf8)
        guard transmissionProtocol == 1 else {
            return [0x3B, 0x60 | UInt8(historical.count), 0x00, 0x00] + historical
        }
        let body: [UInt8] =
            [0xE0 | UInt8(historical.count), 0x00, 0x00, 0x81, 0x31, maximumBlock, 0x45] + historical
        return [0x3B] + body + [body.reduce(0, ^)]
    }
}

/// One application on a card.
public struct CardApplication: Sendable {
    /// The ADF name (4F, 84).
    public let identifier: [UInt8]
    /// The value of A5 in the answer to SELECT.
    let proprietaryTemplate: [UInt8]
    /// The value of 61 in the payment system directory.
    let directoryEntry: [UInt8]
    /// 9F38.
    let processingOptionsList: [CardData.ListEntry]
    /// 82 and 94.
    let interchangeProfile: [UInt8]
    let fileLocator: [UInt8]
    /// Values of 70, by SFI and record number.
    let records: [RecordAddress: [UInt8]]
    /// 8C and 8D; nil when the card has none.
    let firstList: [CardData.ListEntry]?
    let secondList: [CardData.ListEntry]?
    let optionsFormat: Int
    let cryptogramFormat: Int
    let cryptography: CardCryptography
    /// The offline PIN, 4 ... 12 digits.
    let pin: String
    /// For DDA and CDA; nil when the card does neither.
    let signingKey: CardRSAKey?
    /// For an enciphered PIN; nil when the card takes none.
    let pinKey: CardRSAKey?

    struct RecordAddress: Sendable, Hashable {
        var file: UInt8
        var record: UInt8
    }
}

/// Where a card does not behave like a good one.
public struct CardBehaviour: Sendable, Hashable {
    /// A point in a transaction at which something happens.
    public enum Moment: Sendable, Hashable {
        /// The n-th command since power on, counted from 1.
        case command(Int)
        case processingOptions
        case firstCryptogram
        case secondCryptogram
    }

    public var isMute = false
    public var isBlocked = false
    public var hasBlockedApplication = false
    /// Selects its directory with a warning (6283).
    public var hasBlockedDirectory = false
    /// Answers 6985 to GET PROCESSING OPTIONS.
    public var refusesOptions = false
    /// How long it thinks about each command; a reader asks the host for more time meanwhile.
    public var delay = Duration.zero
    /// Answers AAC whatever is asked.
    public var declinesFirst = false
    public var declinesSecond = false
    /// Grants a TC to the first GENERATE AC instead of asking to go online.
    public var approvesOffline = false
    /// Refuses the second TC unless the issuer has proved itself.
    public var needsIssuerAuthentication = false
    /// Its CDA signature covers another transaction than this one.
    public var signsWrongHash = false
    /// The cardholder pulls the card when this command arrives.
    public var pulled: Moment?
    /// This command is answered with random bytes.
    public var nonsense: Moment?
    public var seed: UInt64 = 1

    public init() {}
}
