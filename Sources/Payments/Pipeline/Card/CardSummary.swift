import BERTLV
import EMV
import Readers

/// What of the card may be kept and shown: no account number, no track, no expiry.
struct CardSummary: Sendable, Hashable {
    var lastFour = ""
    var brand = ""
    var arqc = ""
    var aid = ""
    var applicationLabel = ""
    var cardholderName = ""

    init() {}

    /// From the card's data after its first cryptogram (or as far as it came).
    init(_ facts: CardFacts) {
        let identifier = facts.applicationIdentifier
        let prefix: String?
        switch facts {
        case .kernel:
            let pan =
                facts.value(of: 0x5A).flatMap(PAN.init(compressedNumeric:))
                ?? facts.value(of: 0x57).flatMap(PAN.init(track2Equivalent:))
            lastFour = pan?.lastFour ?? ""
            prefix = pan?.issuerPrefix
            cardholderName = CardholderName.text(facts.value(of: 0x5F20) ?? [])
        case .reading(let online, _):
            lastFour = online.account.lastFour ?? ""
            prefix = online.account.issuerPrefix
            cardholderName = CardholderName.text(online.cardholderName)
        case .none: prefix = nil
        }
        brand = (CardBrand(aid: identifier) ?? prefix.flatMap { CardBrand(issuerPrefix: $0) })?.rawValue ?? ""
        aid = hexText(identifier)
        if facts.hasAuthorisationRequestCryptogram {
            arqc = facts.onlineValue(of: 0x9F26).map { hexText($0) } ?? ""
        }
        applicationLabel = facts.applicationName
    }
}
