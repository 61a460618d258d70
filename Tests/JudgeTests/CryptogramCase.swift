import BERTLV
import Crypto
import EMV
import SeededInput

/// One random card in one random transaction. Its number is key-derivation input and nothing else: it begins with 999,
/// which no card does, and is never printed.
struct CryptogramCase: Sendable {
    let number: [UInt8]
    let sequence: UInt8?
    let derivation: CardKeyDerivation
    let scheme: CryptogramScheme
    let masterKey: [UInt8]
    let objects: [BERTLV.Tag: [UInt8]]
    /// Any bytes to be covered by a cryptogram.
    let message: [UInt8]
    let sent: [UInt8]
    let arc: [UInt8]
    let statusUpdate: [UInt8]
    let proprietary: [UInt8]
    let header: [UInt8]
    let command: [UInt8]

    init(_ index: Int, _ numbers: inout SeededNumbers) {
        let length = 8 + index % 12
        number = [9, 9, 9] + (3..<length).map { _ in UInt8.random(in: 0...9, using: &numbers) }
        sequence = index % 4 == 0 ? nil : UInt8.random(in: 0...99, using: &numbers)
        scheme = Self.schemes[index % Self.schemes.count]
        // As pyemv's classes do it.
        derivation = [.visa18, .visa22, .visa2C, .ccdA5].contains(scheme) ? .optionB : .optionA
        masterKey = numbers.octets(16)
        var objects: [BERTLV.Tag: [UInt8]] = [:]
        for (tag, count) in Self.lengths { objects[tag] = numbers.octets(count) }
        objects[0x9F10] = Self.issuerData(scheme, &numbers)
        self.objects = objects
        message = numbers.octets(1 + index % 70)
        sent = numbers.octets(8)
        arc = numbers.octets(2)
        statusUpdate = numbers.octets(4)
        proprietary = numbers.octets(index % 9)
        header = numbers.octets(5)
        command = numbers.octets(1 + index % 41)
    }

    /// All that are triple DES: pyemv has no AES (see `AESJudgeTests`).
    private static let schemes = CryptogramScheme.allCases.filter { $0.cipher == .tripleDES }

    private static let lengths: [(BERTLV.Tag, Int)] = [
        (0x9F02, 6), (0x9F03, 6), (0x9F1A, 2), (0x95, 5), (0x5F2A, 2), (0x9A, 3), (0x9C, 1), (0x9F37, 4), (0x82, 2),
        (0x9F36, 2),
    ]

    private static func issuerData(_ scheme: CryptogramScheme, _ numbers: inout SeededNumbers) -> [UInt8] {
        func short(_ version: UInt8) -> [UInt8] { [0x06, 0x01, version, 0x03] + numbers.octets(3) }
        func long(_ version: UInt8) -> [UInt8] { [0x1F, version, 0x01] + numbers.octets(29) }
        func mChip(_ version: UInt8) -> [UInt8] { [0x01, version] + numbers.octets(16) }
        return switch scheme {
        case .visa10: short(0x0A)
        case .visa18: short(0x12)
        case .visa22: long(0x22)
        case .visa2C: long(0x2C)
        case .mChip16: mChip(0x10)
        case .mChip17: mChip(0x11)
        case .mChip20: mChip(0x14)
        case .mChip21: mChip(0x15)
        case .ccdA5, .ccdA6: [0x0F, 0xA5, 0x01] + numbers.octets(13) + [0x0F] + numbers.octets(15)
        }
    }

    /// What the judge is told.
    var question: [String: String?] {
        let issuerData = IssuerApplicationData(objects[0x9F10] ?? [])
        var question: [String: String?] = [
            "pan": String(decoding: number.map { $0 + 0x30 }, as: UTF8.self),
            "psn": sequence.map { "\($0 / 10)\($0 % 10)" }, "option": derivation == .optionA ? "a" : "b",
            "scheme": scheme.rawValue, "imk": hex(masterKey), "cvr": hex(issuerData?.verificationResults ?? []),
            "counters": hex(issuerData?.counters ?? []), "message": hex(message), "sent": hex(sent), "arc": hex(arc),
            "csu": hex(statusUpdate), "proprietary": hex(proprietary), "header": hex(header), "command": hex(command),
        ]
        for (tag, value) in objects { question["\(tag)".lowercased()] = hex(value) }
        return question
    }
}
