import EMV
import JSONText

extension CryptogramVerdict {
    /// Key order is part of the contract.
    var document: JSONValue {
        .object([
            "scheme": .string(scheme.rawValue),
            "cryptogramVersion": .string(hexText([issuerData.cryptogramVersion])),
            "keyIndex": .string(hexText([issuerData.derivationKeyIndex])),
            "sessionKey": .string(scheme.sessionKeyDerivation.name),
            "cryptogramType": .optional(kind),
            "cryptogram": .string(hexText(sent)),
            "isRight": .bool(isRight),
            "arpcMethod": .integer(scheme.responseMethod == .method1 ? 1 : 2),
            "arpc": .optional(answer.map { hexText($0.arpc) }),
            "issuerAuthenticationData": .optional(answer.map { hexText($0.value) }),
        ])
    }

    var text: String {
        var lines = [
            "Scheme: \(scheme.title) (cryptogram version \(hexText([issuerData.cryptogramVersion])), "
                + "key index \(hexText([issuerData.derivationKeyIndex])))",
            "Session key: \(scheme.sessionKeyDerivation.title)",
            "\(kind ?? "Cryptogram") \(hexText(sent)) is \(isRight ? "right" : "wrong")",
        ]
        if let answer {
            lines.append("ARPC by method \(scheme.responseMethod == .method1 ? 1 : 2): \(hexText(answer.arpc))")
            lines.append("Tag 91: \(hexText(answer.value))")
        }
        return lines.joined(separator: "\n")
    }
}

extension CryptogramScheme {
    fileprivate var title: String {
        switch self {
        case .visa10: "Visa CVN 10"
        case .visa18: "Visa CVN 18"
        case .visa22: "Visa CVN '22'"
        case .visa2C: "Visa CVN '2C'"
        case .mChip16: "M/Chip CVN 16"
        case .mChip17: "M/Chip CVN 17"
        case .mChip20: "M/Chip CVN 20"
        case .mChip21: "M/Chip CVN 21"
        case .ccdA5: "Common Core Definitions, version 5"
        case .ccdA6: "Common Core Definitions, version 6 (AES)"
        }
    }
}

extension SessionKeyDerivation {
    fileprivate var name: String {
        switch self {
        case .none: "none"
        case .commonSessionKey: "common"
        case .mChip: "mChip"
        }
    }

    fileprivate var title: String {
        switch self {
        case .none: "none, the card key itself"
        case .commonSessionKey: "EMV common session key"
        case .mChip: "M/Chip"
        }
    }
}
