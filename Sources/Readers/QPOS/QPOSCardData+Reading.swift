import EMV
import ReaderWire

extension QPOSCardData {
    /// Places of the fields behind the card state.
    private enum Field {
        static let track1 = 0
        static let track2 = 1
        static let track3 = 2
        static let number = 4
        static let expiry = 5
        static let serviceCode = 6
        static let name = 7
    }

    /// What the fields of a swipe or a tap tell. A number in clear comes only from a reader without secured reading.
    func stripe(_ entry: CardReading.Entry) -> CardReading {
        CardReading(
            entry: entry, objects: [:], account: account, cardholderName: field(Field.name) ?? [],
            serviceCode: field(Field.serviceCode).flatMap(Self.serviceCode))
    }

    private var account: CardAccount {
        if let serial = trackKeySerialNumber {
            var parts: [EncryptedCardData.Content: [UInt8]] = [:]
            parts[.track1] = field(Field.track1)
            parts[.track2] = field(Field.track2)
            parts[.track3] = field(Field.track3)
            if let data = EncryptedCardData(scheme: .tdesDUKPT, keySerialNumber: serial, parts: parts) {
                return .encrypted(data, masked: maskedPAN)
            }
        } else if let digits = field(Field.number), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = PAN(digits: digits.map { $0 - 0x30 }), let expiry = field(Field.expiry).flatMap(Self.date)
        {
            return .clear(number, expiry: expiry)
        }
        return .withheld(masked: maskedPAN)
    }

    /// Three digits. The vendor's demo page shows the next field under this name, too: what has no digits is not one.
    private static func serviceCode(_ field: [UInt8]) -> String? {
        guard field.count == 3, field.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return String(decoding: field, as: UTF8.self)
    }

    /// YYMM in BCD, from ASCII.
    private static func date(_ field: [UInt8]) -> [UInt8]? {
        guard field.count == 4, field.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return [(field[0] & 0x0F) << 4 | field[1] & 0x0F, (field[2] & 0x0F) << 4 | field[3] & 0x0F]
    }
}
