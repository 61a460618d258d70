import BERTLV

/// CID, tag 9F27 (Book 3, table 15), bits 8 and 7.
enum CryptogramType: UInt8, Sendable, Comparable {
    case applicationAuthenticationCryptogram = 0x00
    case transactionCertificate = 0x40
    case authorisationRequestCryptogram = 0x80

    /// How far the card goes: AAC below ARQC below TC (Book 3, 10.8).
    private var rank: Int {
        switch self {
        case .applicationAuthenticationCryptogram: 0
        case .authorisationRequestCryptogram: 1
        case .transactionCertificate: 2
        }
    }

    static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

/// The answer to GENERATE AC (Book 3, 6.5.5.4), from either format.
struct CryptogramResponse: Sendable, Hashable {
    let type: CryptogramType
    /// Tag 9F27.
    let information: UInt8
    /// In the order of the card: 9F27, 9F36, 9F26, perhaps 9F10 and others.
    let objects: [DataObject]
    /// What the card sent: the values stand in it.
    let answer: [UInt8]

    /// What the card computes anew for each cryptogram.
    static let ownTags: [Tag] = [
        .cryptogramInformationData, .applicationTransactionCounter, .applicationCryptogram, .issuerApplicationData,
    ]

    struct DataObject: Sendable, Hashable {
        let tag: Tag
        /// In the answer.
        let valueRange: Range<Int>
    }

    /// CID bits 3 to 1: 1 = service not allowed.
    var isServiceNotAllowed: Bool { information & 0x07 == 1 }

    /// False for a CDA answer, whose cryptogram is inside its signature.
    var hasCryptogram: Bool { objects.contains { $0.tag == .applicationCryptogram } }

    init?(parsing data: [UInt8]) {
        guard let template = SoleObject(parsing: data) else { return nil }
        switch template.tag {
        case .responseFormat1:
            let (start, end) = (template.valueRange.lowerBound, template.valueRange.upperBound)
            guard (11...43).contains(end - start) else { return nil }
            var objects = [
                DataObject(tag: .cryptogramInformationData, valueRange: start..<start + 1),
                DataObject(tag: .applicationTransactionCounter, valueRange: start + 1..<start + 3),
                DataObject(tag: .applicationCryptogram, valueRange: start + 3..<start + 11),
            ]
            if end > start + 11 {
                objects.append(DataObject(tag: .issuerApplicationData, valueRange: start + 11..<end))
            }
            self.init(objects, in: data)
        case .responseFormat2:
            self.init(
                template.children.filter { !$0.tag.isConstructed && !$0.valueRange.isEmpty }
                    .map { DataObject(tag: $0.tag, valueRange: $0.valueRange) },
                in: data)
        default:
            return nil
        }
    }

    private init?(_ objects: [DataObject], in answer: [UInt8]) {
        func range(_ tag: Tag) -> Range<Int>? { objects.first { $0.tag == tag }?.valueRange }
        guard let information = range(.cryptogramInformationData), information.count == 1,
            let type = CryptogramType(rawValue: answer[information.lowerBound] & 0xC0),
            range(.applicationTransactionCounter)?.count == 2,
            range(.applicationCryptogram)?.count == 8
                || (range(.applicationCryptogram) == nil && range(.signedDynamicApplicationData) != nil),
            (range(.issuerApplicationData)?.count ?? 0) <= 32,
            !objects.map(\.tag).hasRepetition
        else { return nil }
        self.type = type
        self.information = answer[information.lowerBound]
        self.objects = objects
        self.answer = answer
    }
}
