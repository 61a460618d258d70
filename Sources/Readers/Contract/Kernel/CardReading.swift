public import BERTLV
public import EMV
public import ReaderWire

/// What a reader tells of a card. Its text form never shows card data.
public struct CardReading: Sendable {
    public enum Entry: String, Sendable, Hashable, CaseIterable {
        case contactChip, contactlessChip, contactlessStripe, magneticStripe
        /// The stripe of a card whose chip could not be read.
        case fallbackStripe
    }

    public let entry: Entry
    /// The data objects that came in clear and may be shown: none of `SensitiveTag`.
    private let objects: [Tag: [UInt8]]
    public let account: CardAccount
    /// 5F20 as the card has it; empty when it was not told.
    public let cardholderName: [UInt8]
    /// Three digits of the track; nil when they were not told. 2xx and 6xx: the card has a chip.
    public let serviceCode: String?

    /// Tags that hold account data go to `account` before this is made; any that is left here is dropped.
    public init(
        entry: Entry, objects: [Tag: [UInt8]], account: CardAccount, cardholderName: [UInt8] = [],
        serviceCode: String? = nil
    ) {
        self.entry = entry
        self.objects = objects.filter { !SensitiveTag.contains($0.key) }
        self.account = account
        self.cardholderName = cardholderName
        self.serviceCode = serviceCode
    }

    /// The value of a data object without its tag and length; nil when the reader did not tell it.
    public func value(of tag: Tag) -> [UInt8]? { objects[tag] }

    /// A stripe that says that there is a chip on the card (ISO 7813, service code).
    public var saysThatCardHasChip: Bool {
        guard entry == .magneticStripe || entry == .fallbackStripe else { return false }
        return serviceCode.map { $0.hasPrefix("2") || $0.hasPrefix("6") } ?? false
    }
}

extension CardReading: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(entry.rawValue), \(objects.count) objects" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The account as a reader hands it out.
public enum CardAccount: Sendable {
    /// A reader without secured reading.
    case clear(PAN, expiry: [UInt8])
    /// SRED: only a host with the key can read it. `masked` is for people; nil when the reader masks everything.
    case encrypted(EncryptedCardData, masked: MaskedPAN?)
    /// Neither: the reader kept it, or sent only a mask.
    case withheld(masked: MaskedPAN?)

    /// What may be shown; nil when the reader masks that too.
    public var lastFour: String? {
        switch self {
        case .clear(let pan, _): pan.lastFour
        case .encrypted(_, let masked), .withheld(let masked): masked?.lastFour
        }
    }

    /// The first six digits; nil when the reader masks some of them.
    public var issuerPrefix: String? {
        let text: String? =
            switch self {
            case .clear(let pan, _): pan.issuerPrefix
            case .encrypted(_, let masked), .withheld(let masked): masked?.text
            }
        guard let prefix = text?.prefix(6), prefix.utf8.count == 6, !prefix.contains("*") else { return nil }
        return String(prefix)
    }
}
