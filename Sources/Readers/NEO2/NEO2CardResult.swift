import BERTLV
import EMV
import ReaderWire

/// What the stripe of a card with a chip is taken for.
enum NEO2Fallback: Sendable, Hashable {
    /// Not taken: the chip is to be used.
    case refused
    /// Whatever the stripe says: the chip was not readable.
    case chipHasFailed
}

/// What a transaction's answer says of the card (interface guide, 3.6 of the fact sheet): data objects, after a byte of
/// attribution when encryption is on.
struct NEO2CardResult: Sendable {
    let reading: CardReading
    /// 9F27.
    let cryptogramInformation: UInt8?

    /// Nil when the data hold no card: neither tracks nor a cryptogram nor an account.
    init?(_ data: [UInt8], expecting: CardReading.Entry, fallback: NEO2Fallback = .refused) {
        guard let result = NEO2Result(data) else { return nil }
        var collected = Collection()
        var reader = TLVReader(range: result.objects)
        while case .object(let item)? = reader.next(in: data.span) {
            collected.add(item.tag, Array(data[item.valueRange]))
        }
        guard collected.hasCard else { return nil }
        cryptogramInformation = collected.objects[0x9F27]?.first
        var entry = Self.entry(collected, result.attribution, expecting)
        if entry == .magneticStripe, fallback == .chipHasFailed { entry = .fallbackStripe }
        reading = CardReading(
            entry: entry, objects: collected.objects, account: collected.account(result.attribution),
            cardholderName: collected.cardholderName, serviceCode: collected.serviceCode)
    }

    private static func entry(
        _ collected: Collection, _ attribution: NEO2Attribution?, _ expected: CardReading.Entry
    ) -> CardReading.Entry {
        switch collected.objects[0x9F39]?.first {
        case 0x05: return .contactChip
        case 0x07: return .contactlessChip
        case 0x80: return .fallbackStripe
        case 0x90: return .magneticStripe
        case 0x91: return .contactlessStripe
        default: break
        }
        switch attribution?.interface {
        case .contact: return .contactChip
        case .contactless: return .contactlessChip
        case .contactlessStripe: return .contactlessStripe
        case .swipe: return .magneticStripe
        case .unknown, nil: return collected.stripe == nil ? expected : .magneticStripe
        }
    }
}

/// The objects of an answer, sorted by what they are for.
private struct Collection {
    /// Of one and two bytes, without those of the vendor: what is published and holds no account.
    var objects: [Tag: [UInt8]] = [:]
    var stripe: NEO2MagneticStripe?
    var keySerialNumber: [UInt8]?
    /// Every copy of 57 and of 5A.
    var tracks: [[UInt8]] = []
    var numbers: [[UInt8]] = []
    var expiry: [UInt8]?
    var name: [UInt8] = []

    mutating func add(_ tag: Tag, _ value: [UInt8]) {
        switch tag.number {
        case 0xDFEE23: stripe = stripe ?? NEO2MagneticStripe(parsing: value)
        case 0xDFEE12: keySerialNumber = keySerialNumber ?? value
        case 0x57 where !value.isEmpty: tracks.append(value)
        case 0x5A where !value.isEmpty: numbers.append(value)
        case 0x5F24: expiry = value
        case 0x5F20: name = value
        case 0...0xDEFF where objects[tag] == nil: objects[tag] = value
        default: break
        }
    }

    var hasCard: Bool {
        stripe != nil || objects[0x9F27] != nil || objects[0x9F26] != nil || !tracks.isEmpty || !numbers.isEmpty
    }

    /// Of track 1 where there is no 5F20: between the two `^`.
    var cardholderName: [UInt8] {
        guard name.isEmpty, let track = stripe?.maskedTracks.first else { return name }
        let parts = track.split(separator: UInt8(ascii: "^"), omittingEmptySubsequences: false)
        return parts.count >= 3 ? Array(parts[1]) : []
    }

    /// Three digits after the expiry date; nil when they are masked.
    var serviceCode: String? {
        for (track, separator) in [(1, UInt8(ascii: "=")), (0, UInt8(ascii: "^"))] {
            guard let characters = stripe?.maskedTracks[track], let place = characters.lastIndex(of: separator) else {
                continue
            }
            let code = characters[(place + 1)...].dropFirst(4).prefix(3)
            if code.count == 3, code.allSatisfy({ (0x30...0x39).contains($0) }) {
                return String(decoding: code, as: UTF8.self)
            }
        }
        return nil
    }

    func account(_ attribution: NEO2Attribution?) -> CardAccount {
        if let clear { return clear }
        guard let encrypted = encrypted(attribution) else { return .withheld(masked: masked) }
        return .encrypted(encrypted, masked: masked)
    }

    private var masked: MaskedPAN? {
        if let masked = stripe?.maskedPAN { return masked }
        for value in numbers {
            if let masked = MaskedPAN(ascii: value) ?? MaskedPAN(nibbles: value) { return masked }
        }
        for value in tracks {
            if let masked = MaskedPAN(nibbles: value) { return masked }
        }
        return nil
    }

    /// A reader without secured reading. Encrypted bytes are not taken for digits: nothing is clear where a key serial
    /// number says that a key was used.
    private var clear: CardAccount? {
        guard keySerialNumber == nil, stripe?.keySerialNumber == nil else { return nil }
        for value in tracks {
            if let pan = PAN(track2Equivalent: value), let date = Track2(equivalent: value)?.expiry {
                return .clear(pan, expiry: expiry ?? Self.date(date))
            }
        }
        for value in numbers {
            if let pan = PAN(compressedNumeric: value), let expiry { return .clear(pan, expiry: expiry) }
        }
        guard let track = stripe?.maskedTracks[1], !track.isEmpty,
            let read = Track2(text: String(decoding: track, as: UTF8.self)), let date = read.expiry
        else { return nil }
        return .clear(read.pan, expiry: Self.date(date))
    }

    /// YYMM in BCD.
    private static func date(_ expiry: Track2.Expiry) -> [UInt8] {
        [expiry.year % 100, expiry.month].map { UInt8(($0 / 10) << 4 | $0 % 10) }
    }

    private func encrypted(_ attribution: NEO2Attribution?) -> EncryptedCardData? {
        guard let serial = stripe?.keySerialNumber ?? keySerialNumber else { return nil }
        var parts: [EncryptedCardData.Content: [UInt8]] = [:]
        if let stripe {
            for (content, track) in zip([EncryptedCardData.Content.track1, .track2, .track3], stripe.encryptedTracks) {
                parts[content] = track
            }
        }
        parts[.track2Equivalent] = tracks.last { Self.isEncrypted($0) }
        parts[.accountNumber] = numbers.last { Self.isEncrypted($0) && MaskedPAN(ascii: $0) == nil }
        let scheme: EncryptedCardData.Scheme =
            switch attribution?.cipher {
            case "TDES": .tdesDUKPT
            case "AES": .aesDUKPT
            default: .unknown
            }
        return EncryptedCardData(scheme: scheme, keySerialNumber: serial, parts: parts)
    }

    /// Whole blocks that are no masked copy.
    private static func isEncrypted(_ value: [UInt8]) -> Bool {
        value.count % 8 == 0 && MaskedPAN(nibbles: value) == nil
    }
}
