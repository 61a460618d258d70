import Crypto
import EMV

/// A dialogue as text, one step a line: `COMMAND < ANSWER` in hex (spaces do not matter), or, where the issuer is asked,
/// `host CODE yes|no [DATA]` or `host unable`. Where the cardholder is asked: `choose N` (the place in the list, from 0) or
/// `choose cancel`; `pin block HEX`, `pin verified SW`, `pin captured`, `pin bypassed`, `pin failed` or `pin cancelled`.
/// Where a TC is to be allowed: `allow yes|no`. A command that ends in `*` matches whatever follows.
struct Transcript: Sendable {
    enum Step: Sendable {
        case exchange(command: String, answer: [UInt8])
        case host(HostAnswer)
        /// Nil = cancelled.
        case choice(Int?)
        case pin(PINAnswer)
        case permission(Bool)
    }

    let steps: [Step]

    init(_ text: String) {
        steps = text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "host": return .host(Self.hostAnswer(words))
            case "choose": return .choice(words.last.flatMap { Int($0) })
            case "allow": return .permission(words.last == "yes")
            case "pin": return .pin(Self.pinAnswer(words))
            default: break
            }
            let sides = line.split(separator: "<", omittingEmptySubsequences: false)
            guard sides.count == 2 else { return nil }
            return .exchange(command: sides[0].filter { $0 != " " }, answer: bytes(String(sides[1])))
        }
    }

    init(steps: [Step]) {
        self.steps = steps
    }

    private static func pinAnswer(_ words: [String]) -> PINAnswer {
        let data = bytes(words.dropFirst(2).joined())
        switch words.dropFirst().first {
        case "block": return .block(SecretBytes(data))
        case "verified": return .verified(StatusWord(data.reduce(0) { $0 << 8 | UInt16($1) }))
        case "captured": return .captured
        case "bypassed": return .bypassed
        case "failed": return .padFailed
        default: return .cancelled
        }
    }

    private static func hostAnswer(_ words: [String]) -> HostAnswer {
        guard words.count >= 3 else { return .unableToGoOnline }
        return .answered(
            responseCode: Array(words[1].utf8), isApproved: words[2] == "yes",
            issuerData: bytes(words.dropFirst(3).joined()))
    }
}

extension Transcript.Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .exchange(let command, _): command
        case .host: "the issuer is asked"
        case .choice: "the cardholder chooses"
        case .pin: "a PIN is asked for"
        case .permission: "a TC is to be allowed"
        }
    }
}

/// BER-TLV in hex from a tag and the parts of its value in hex.
func tlv(_ tag: String, _ parts: String...) -> String {
    let value = parts.joined().filter { $0 != " " }
    let count = value.count / 2
    let length =
        count < 0x80
        ? [UInt8(count)] : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
    return tag + hex(length) + value
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
}
