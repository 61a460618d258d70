import BERTLV
import EMV
import Gateways
import Readers

/// What is known of a card: by the kernel on this side, or as a reader that runs EMV itself tells it.
enum CardFacts: Sendable {
    case kernel(KernelSnapshot)
    /// Before the issuer was asked, and at present.
    case reading(online: CardReading, latest: CardReading)
    /// No card was read.
    case none

    /// The value of an object as it is now.
    func value(of tag: Tag) -> [UInt8]? {
        switch self {
        case .kernel(let snapshot): snapshot.kernel.value(of: tag)
        case .reading(let online, let latest): latest.value(of: tag) ?? online.value(of: tag)
        case .none: nil
        }
    }

    /// The value of an object as it was when the card made its first cryptogram.
    func onlineValue(of tag: Tag) -> [UInt8]? {
        switch self {
        case .kernel(let snapshot): snapshot.kernel.onlineValue(of: tag)
        case .reading(let online, _): online.value(of: tag)
        case .none: nil
        }
    }

    /// Nil when the data do not make one that a host could use.
    var account: AccountData? {
        switch self {
        case .kernel:
            guard let pan = value(of: 0x5A).flatMap(PAN.init(compressedNumeric:)),
                let expiry = value(of: 0x5F24).flatMap({ CardExpiry(bcd: $0) })
            else { return nil }
            return .clear(pan, expiry)
        case .reading(let online, _):
            switch online.account {
            case .clear(let pan, let expiry): return CardExpiry(bcd: expiry).map { .clear(pan, $0) }
            case .encrypted(let data, _): return .encrypted(data)
            case .withheld: return nil
            }
        case .none: return nil
        }
    }

    var entryMode: EntryMode {
        switch self {
        case .kernel, .none: .contactChip
        case .reading(let online, _):
            switch online.entry {
            case .contactChip: .contactChip
            case .contactlessChip: .contactlessChip
            case .contactlessStripe, .magneticStripe: .magneticStripe
            case .fallbackStripe: .fallbackStripe
            }
        }
    }

    /// Tag 5F34 as a number; nil when the card has none.
    var panSequenceNumber: UInt8? {
        value(of: 0x5F34)?.first.map { ($0 >> 4) * 10 + ($0 & 0x0F) }
    }

    /// Tag 9F34 and others belong to a chip; a stripe has none of them.
    var isChip: Bool { entryMode.isChip }

    /// The card's first cryptogram asked for the issuer (9F27: ARQC).
    var hasAuthorisationRequestCryptogram: Bool {
        switch self {
        case .kernel(let snapshot): snapshot.kernel.hasAuthorisationRequestCryptogram
        case .reading: isChip && (onlineValue(of: 0x9F27)?.first ?? 0) & 0xC0 == 0x80
        case .none: false
        }
    }

    /// The application's identifier; empty when it is not known.
    var applicationIdentifier: [UInt8] {
        switch self {
        case .kernel(let snapshot): snapshot.kernel.application?.aid ?? []
        case .reading: [0x4F, 0x84, 0x9F06].lazy.compactMap { self.value(of: $0) }.first { !$0.isEmpty } ?? []
        case .none: []
        }
    }

    /// The preferred name (9F12) where its code table can be printed, else the label (50) (Book 4, 11.3).
    var applicationName: String {
        switch self {
        case .kernel(let snapshot): return snapshot.kernel.application?.displayName ?? ""
        case .reading:
            return CardText.applicationName(
                preferred: value(of: 0x9F12) ?? [], codeTableIndex: value(of: 0x9F11)?.first,
                label: value(of: 0x50) ?? [])
        case .none: return ""
        }
    }
}
