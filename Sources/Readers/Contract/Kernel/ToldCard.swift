import BERTLV
import EMV
import ReaderWire

/// The data objects that a reader told of a card, sorted by what they are for. 57 and 5A may come twice, masked and
/// encrypted, or empty; neither is needed.
struct ToldCard: Sendable {
    /// Where a protocol keeps what has no tag of EMV.
    struct VendorTags: Sendable {
        var keySerialNumber: Tag?
        /// Nibbles; F is a mask, too.
        var maskedNumber: Tag?
        /// Encrypted 57.
        var encryptedTrack: Tag?
        /// ASCII with sentinels.
        var maskedTracks: Set<Tag> = []
    }

    private let vendor: VendorTags
    private(set) var objects: [Tag: [UInt8]] = [:]
    private var tracks: [[UInt8]] = []
    private var numbers: [[UInt8]] = []
    private var keySerialNumber: [UInt8]?
    private var masked: MaskedPAN?
    private var encryptedTrack: [UInt8]?
    private var expiry: [UInt8]?
    private var name: [UInt8] = []
    private var serviceCode: String?
    private var clearTrack: [UInt8]?

    /// Nil when the bytes are not data objects.
    init?(parsing bytes: [UInt8], _ vendor: VendorTags) {
        self.vendor = vendor
        let tree = TLVTree(parsing: bytes)
        guard tree.isClean else { return nil }
        add(tree.nodes, in: tree)
    }

    private mutating func add(_ nodes: [TLVNode], in tree: TLVTree) {
        for node in nodes {
            if node.tag.isConstructed {
                add(node.children, in: tree)
            } else {
                add(node.tag, tree.value(of: node))
            }
        }
    }

    private mutating func add(_ tag: Tag, _ value: [UInt8]) {
        switch tag {
        case _ where value.isEmpty: break
        case vendor.keySerialNumber: keySerialNumber = keySerialNumber ?? value
        case vendor.encryptedTrack: encryptedTrack = encryptedTrack ?? value
        case vendor.maskedNumber:
            masked = masked ?? Self.maskedNumber(value)
        case _ where vendor.maskedTracks.contains(tag): take(maskedTrack: value)
        // Tracks of a stripe in clear.
        case 0x5F22: clearTrack = value
        case 0x5F21, 0x5F23: break
        case 0x5F30: serviceCode = serviceCode ?? Self.serviceCode(value)
        case 0x57: tracks.append(value)
        case 0x5A: numbers.append(value)
        case 0x5F24: expiry = expiry ?? value
        case 0x5F20: name = value
        // What is the vendor's own may hold anything.
        case _ where tag.number <= 0xDEFF: objects[tag] = objects[tag] ?? value
        default: break
        }
    }

    private mutating func take(maskedTrack track: [UInt8]) {
        let text = track.drop { $0 == UInt8(ascii: ";") }
        guard let separator = text.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "D") }) else {
            return
        }
        masked = masked ?? MaskedPAN(ascii: text[..<separator])
        let code = text[(separator + 1)...].dropFirst(4).prefix(3)
        if code.count == 3, code.allSatisfy({ (0x30...0x39).contains($0) }) {
            serviceCode = String(decoding: code, as: UTF8.self)
        }
    }

    /// 5F30: format n3 in two bytes.
    private static func serviceCode(_ value: [UInt8]) -> String? {
        guard value.count == 2, value[0] <= 9, value[1] >> 4 <= 9, value[1] & 0x0F <= 9 else { return nil }
        return "\(value[0])\(value[1] >> 4)\(value[1] & 0x0F)"
    }

    /// F fills the number up at its end, and masks a digit everywhere else.
    private static func maskedNumber(_ value: [UInt8]) -> MaskedPAN? {
        var nibbles = value.flatMap { [$0 >> 4, $0 & 0x0F] }
        while nibbles.last == 0x0F { nibbles.removeLast() }
        return MaskedPAN(ascii: nibbles.map { $0 <= 9 ? 0x30 + $0 : UInt8(ascii: "*") }) ?? MaskedPAN(ascii: value)
    }

    /// 9F27, bits 8 and 7: what the card decided; nil when it was not told.
    var cryptogramType: UInt8? { objects[0x9F27]?.first.map { $0 & 0xC0 } }

    /// Nothing of an account is there.
    var hasNoAccount: Bool {
        tracks.isEmpty && numbers.isEmpty && masked == nil && encryptedTrack == nil && keySerialNumber == nil
            && clearTrack == nil
    }

    /// - Parameter known: the account as it was told before, for answers that do not repeat it.
    func reading(_ entry: CardReading.Entry, known: CardAccount? = nil) -> CardReading {
        CardReading(
            entry: entry, objects: objects,
            account: hasNoAccount ? known ?? .withheld(masked: nil) : account(of: entry),
            cardholderName: name, serviceCode: serviceCode)
    }

    private func account(of entry: CardReading.Entry) -> CardAccount {
        if let clear { return clear }
        guard let encrypted = encrypted(of: entry) else { return .withheld(masked: maskedNumber) }
        return .encrypted(encrypted, masked: maskedNumber)
    }

    private var maskedNumber: MaskedPAN? {
        if let masked { return masked }
        for value in numbers + tracks {
            if let masked = MaskedPAN(nibbles: value) ?? MaskedPAN(ascii: value) { return masked }
        }
        return nil
    }

    /// A reader without secured reading. With a key serial number nothing is clear: encrypted bytes may look like digits.
    private var clear: CardAccount? {
        guard keySerialNumber == nil else { return nil }
        if let clearTrack, let track = Track2(text: String(decoding: clearTrack, as: UTF8.self)),
            let date = track.expiry.map(Self.date)
        {
            return .clear(track.pan, expiry: date)
        }
        for value in tracks {
            if let track = Track2(equivalent: value), let date = expiry ?? track.expiry.map(Self.date) {
                return .clear(track.pan, expiry: date)
            }
        }
        for value in numbers {
            if let pan = PAN(compressedNumeric: value), let expiry { return .clear(pan, expiry: expiry) }
        }
        return nil
    }

    /// YYMM in BCD.
    private static func date(_ expiry: Track2.Expiry) -> [UInt8] {
        [expiry.year % 100, expiry.month].map { UInt8(($0 / 10) << 4 | $0 % 10) }
    }

    private func encrypted(of entry: CardReading.Entry) -> EncryptedCardData? {
        guard let keySerialNumber else { return nil }
        var parts: [EncryptedCardData.Content: [UInt8]] = [:]
        let isStripe = entry == .magneticStripe || entry == .fallbackStripe
        parts[isStripe ? .track2 : .track2Equivalent] = encryptedTrack ?? tracks.last(where: Self.isEncrypted)
        parts[.accountNumber] = numbers.last(where: Self.isEncrypted)
        return EncryptedCardData(scheme: .tdesDUKPT, keySerialNumber: keySerialNumber, parts: parts)
    }

    /// Whole blocks that are no masked copy.
    private static func isEncrypted(_ value: [UInt8]) -> Bool {
        value.count % 8 == 0 && MaskedPAN(nibbles: value) == nil && MaskedPAN(ascii: value) == nil
    }
}

extension ToldCard: CustomStringConvertible, CustomReflectable {
    var description: String { "\(objects.count) objects" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
