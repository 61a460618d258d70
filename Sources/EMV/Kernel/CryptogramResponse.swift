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

    /// What the card computes anew for each cryptogram.
    static let ownTags: [Tag] = [
        .cryptogramInformationData, .applicationTransactionCounter, .applicationCryptogram, .issuerApplicationData,
    ]

    struct DataObject: Sendable, Hashable {
        let tag: Tag
        let value: [UInt8]
    }

    /// CID bits 3 to 1: 1 = service not allowed.
    var isServiceNotAllowed: Bool { information & 0x07 == 1 }

    /// False for a CDA answer, whose cryptogram is inside its signature.
    var hasCryptogram: Bool { objects.contains { $0.tag == .applicationCryptogram } }

    init?(parsing data: [UInt8]) {
        let tree = TLVTree(parsing: data)
        guard tree.isClean, tree.nodes.count == 1, let node = tree.nodes.first else { return nil }
        switch node.tag {
        case .responseFormat1:
            let value = tree.value(of: node)
            guard (11...43).contains(value.count) else { return nil }
            var objects = [
                DataObject(tag: .cryptogramInformationData, value: [value[0]]),
                DataObject(tag: .applicationTransactionCounter, value: Array(value[1...2])),
                DataObject(tag: .applicationCryptogram, value: Array(value[3...10])),
            ]
            if value.count > 11 {
                objects.append(DataObject(tag: .issuerApplicationData, value: Array(value[11...])))
            }
            self.init(objects: objects)
        case .responseFormat2:
            self.init(
                objects: node.children.filter { !$0.tag.isConstructed && !$0.valueRange.isEmpty }
                    .map { DataObject(tag: $0.tag, value: tree.value(of: $0)) })
        default:
            return nil
        }
    }

    private init?(objects: [DataObject]) {
        func value(_ tag: Tag) -> [UInt8]? { objects.first { $0.tag == tag }?.value }
        guard let information = value(.cryptogramInformationData), information.count == 1,
            let type = CryptogramType(rawValue: information[0] & 0xC0),
            value(.applicationTransactionCounter)?.count == 2,
            value(.applicationCryptogram)?.count == 8
                || (value(.applicationCryptogram) == nil && value(.signedDynamicApplicationData) != nil),
            (value(.issuerApplicationData)?.count ?? 0) <= 32,
            Set(objects.map(\.tag)).count == objects.count
        else { return nil }
        self.type = type
        self.information = information[0]
        self.objects = objects
    }
}
