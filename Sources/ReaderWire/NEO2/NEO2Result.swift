import BERTLV

/// The first data byte of a transaction result when encryption is on ("Attribution").
public struct NEO2Attribution: RawRepresentable, Sendable, Hashable {
    public enum Interface: String, Sendable, Hashable {
        case contact = "contact EMV"
        case contactless = "contactless EMV"
        case contactlessStripe = "contactless magnetic stripe mode"
        case swipe
        case unknown
    }

    public var rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public var encryptsStripe: Bool { rawValue & 0x80 != 0 }
    public var encryptsEMV: Bool { rawValue & 0x40 != 0 }

    /// Bits 4, 3 and 0 as one number.
    public var interface: Interface {
        switch (rawValue >> 2 & 0x06) | (rawValue & 0x01) {
        case 0: .contact
        case 1: .contactless
        case 5: .contactlessStripe
        case 2, 3: .swipe
        default: .unknown
        }
    }

    /// Bits 2 and 1.
    public var cipher: String? {
        switch rawValue >> 1 & 0x03 {
        case 0: "TDES"
        case 1: "AES"
        default: nil
        }
    }
}

/// The data of a response that carries a transaction: with encryption on a byte of attribution, then data objects.
public struct NEO2Result: Sendable, Hashable {
    public var attribution: NEO2Attribution?
    /// The data objects within the response's data.
    public var objects: Range<Int>

    /// Tells the two forms apart by a strict reading of the data objects: nil when neither is one. A byte of attribution
    /// such as E1 can be read as a template that swallows the objects behind it; where both readings are sound, the one
    /// with more objects is right.
    public init?(_ data: Span<UInt8>) {
        guard !data.isEmpty else { return nil }
        let plain = DataObjects.soundCount(data, 0..<data.count)
        let attributed = data.count > 1 ? DataObjects.soundCount(data, 1..<data.count) : nil
        switch (plain, attributed) {
        case (nil, nil): return nil
        case (let plain?, let attributed?) where plain >= attributed: objects = 0..<data.count
        case (_?, nil): objects = 0..<data.count
        case (_, _?):
            attribution = NEO2Attribution(rawValue: data[0])
            objects = 1..<data.count
        }
    }

    public init?(_ data: [UInt8]) { self.init(data.span) }

    /// The masked card number of tags DFEE23, 5A or 57. The encrypted copies and a number in clear give nothing.
    public static func maskedPAN(_ data: Span<UInt8>, _ objects: Range<Int>) -> MaskedPAN? {
        var reader = TLVReader(range: objects)
        while case .object(let item)? = reader.next(in: data) {
            let value = data.extracting(item.valueRange).array
            let found: MaskedPAN? =
                switch item.tag.number {
                case 0xDFEE23: NEO2MagneticStripe(parsing: value)?.maskedPAN
                case 0x5A: MaskedPAN(ascii: value) ?? MaskedPAN(nibbles: value)
                case 0x57: MaskedPAN(nibbles: value)
                default: nil
                }
            if let found { return found }
        }
        return nil
    }

    public static func maskedPAN(_ data: [UInt8], _ objects: Range<Int>) -> MaskedPAN? { maskedPAN(data.span, objects) }
}

/// Data objects within a frame.
public enum DataObjects {
    /// Whether bytes are data objects one after another, whole, without fill bytes between.
    public static func areSound(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        soundCount(bytes, range) != nil
    }

    /// How many objects there are; nil when they are not sound.
    static func soundCount(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty, bytes[range.lowerBound] != 0 else { return nil }
        var reader = TLVReader(range: range, padding: .strict)
        var count = 0
        while let step = reader.next(in: bytes) {
            guard case .object(let item) = step, item.tag.number != 0 else { return nil }
            count += 1
        }
        return reader.offset == range.upperBound ? count : nil
    }
}
