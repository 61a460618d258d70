/// DATA of a completed 16-20: how the card came, and for a swipe or a tap its fields.
public struct QPOSCardData: Sendable, Hashable {
    public enum CardState: Sendable, Hashable {
        case swiped
        case inserted
        /// 03, 04 and 05. Public material contradicts itself on which is online, offline and declined: the cryptogram
        /// information (9F27, of 16-51) tells.
        case contactless(UInt8)
        case other(UInt8)

        public var name: String {
            switch self {
            case .swiped: "swiped"
            case .inserted: "inserted"
            case .contactless: "contactless"
            case .other(let byte): "state \(byte)"
            }
        }
    }

    public var cardState: CardState
    /// In the order of the protocol, see `maskedPAN` and `trackKeySerialNumber`. Not to be logged.
    public var fields: [[UInt8]] = []
    /// A field says that it is longer than the data.
    public var isCut = false

    public init?(parsing data: [UInt8]) {
        guard let first = data.first else { return nil }
        cardState =
            switch first {
            case 0x00: .swiped
            case 0x01: .inserted
            case 0x03...0x05: .contactless(first)
            default: .other(first)
            }
        guard cardState != .inserted else { return }
        var place = 2
        while place < data.count, fields.count < 16 {
            let end = place + 1 + Int(data[place])
            guard end <= data.count else {
                isCut = true
                return
            }
            fields.append(Array(data[place + 1..<end]))
            place = end
        }
    }

    public var maskedPAN: MaskedPAN? { field(4).flatMap { MaskedPAN(ascii: $0) } }
    public var trackKeySerialNumber: [UInt8]? { field(9) }
    public var pinKeySerialNumber: [UInt8]? { field(10) }

    /// Nil when it is missing or empty.
    public func field(_ index: Int) -> [UInt8]? {
        guard fields.indices.contains(index), !fields[index].isEmpty else { return nil }
        return fields[index]
    }
}

/// DATA of a completed 16-30 or 16-40.
public struct QPOSEMVResult: Sendable, Hashable {
    public enum Outcome: Sendable, Hashable {
        case accepted, denied, goOnline
        case other(UInt8)
    }

    public var encryptionMode: UInt8
    /// Accepting with kind 07 is a reversal, and counts as denied.
    public var outcome: Outcome
    /// 03 confirm, 04 batch, 05 offline advice, 06 online advice, 07 reversal.
    public var kind: UInt8
    /// The data objects within DATA.
    public var objects: Range<Int>

    /// Nil when a length goes beyond the data.
    public init?(parsing data: Span<UInt8>) {
        guard data.count >= 8 else { return nil }
        encryptionMode = data[1]
        kind = data[3]
        outcome =
            switch data[2] {
            case 0x01: kind == 0x07 ? .denied : .accepted
            case 0x02: .denied
            case 0x03: .goOnline
            default: .other(data[2])
            }
        var place = 4
        for _ in 0..<2 {
            guard place < data.count else { return nil }
            place += 1 + Int(data[place])
        }
        guard place + 2 <= data.count else { return nil }
        let length = Int(data[place]) << 8 | Int(data[place + 1])
        guard place + 2 + length <= data.count else { return nil }
        objects = place + 2..<place + 2 + length
    }

    public init?(parsing data: [UInt8]) { self.init(parsing: data.span) }

    /// The data objects are not encrypted.
    public var isClear: Bool { [0x00, 0x10, 0x26, 0x30].contains(encryptionMode) }
}

/// DATA of 16-30 with result 02: the applications to choose from; the answer is 16-31 with the index.
public struct QPOSApplicationChoice: Sendable, Hashable {
    public static let result: UInt8 = 0x02

    public var names: [[UInt8]] = []

    /// Nil when a length goes beyond the data.
    public init?(parsing data: [UInt8]) {
        guard let count = data.first else { return nil }
        var place = 1
        for _ in 0..<count {
            guard place + 3 <= data.count else { return nil }
            let end = place + 3 + Int(data[place + 2])
            guard end <= data.count else { return nil }
            names.append(Array(data[place + 3..<end]))
            place = end
        }
    }
}
