import BERTLV
import EMV

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
    init(_ kernel: ContactKernel) {
        let pan =
            kernel.value(of: 0x5A).flatMap(PAN.init(compressedNumeric:))
            ?? kernel.value(of: 0x57).flatMap(PAN.init(track2Equivalent:))
        let aidBytes = kernel.application?.aid ?? []
        lastFour = pan?.lastFour ?? ""
        brand = (CardBrand(aid: aidBytes) ?? pan.flatMap { CardBrand(issuerPrefix: $0.issuerPrefix) })?.rawValue ?? ""
        aid = hexText(aidBytes)
        if kernel.hasAuthorisationRequestCryptogram {
            arqc = kernel.onlineValue(of: 0x9F26).map { hexText($0) } ?? ""
        }
        applicationLabel = kernel.application?.displayName ?? ""
        cardholderName = CardholderName.text(kernel.value(of: 0x5F20) ?? [])
    }
}
