import BERTLV
import EMV

/// Gathers the facts of the summary as objects pass by: the first occurrence of each counts.
struct SummaryCollector: Sendable {
    private var information: UInt8?
    private var cryptogram: [UInt8]?
    private var formatCryptogram: (information: UInt8, value: [UInt8])?
    /// By tag: 4F, 84, 9F06, in the order of preference.
    private var names: (entry: [UInt8]?, file: [UInt8]?, terminal: [UInt8]?)
    private var label: [UInt8]?
    private var preferredName: [UInt8]?
    private var codeTable: Int?
    private var panEnd: String?
    private var trackEnd: String?
    private var maskedEnd: String?

    /// Takes the last four digits of a masked card number: they count when no number in clear is there.
    mutating func takeMasked(cardEnd: String) { maskedEnd = maskedEnd ?? cardEnd }

    /// Takes what a primitive object tells.
    /// - Parameter isHidden: the value must not be shown, so that no name or label is taken from it.
    mutating func take(_ tag: Tag, _ value: Span<UInt8>, isHidden: Bool) {
        if isHidden, Self.isNameOrLabel(tag) { return }
        switch tag.number {
        case 0x9F27 where information == nil && value.count == 1: information = value[0]
        case 0x9F26 where cryptogram == nil: cryptogram = array(value)
        case 0x80 where formatCryptogram == nil && ResponseFormat1(value) == .cryptogram:
            formatCryptogram = (value[0], array(value.extracting(3..<11)))
        case 0x4F where names.entry == nil && isName(value): names.entry = array(value)
        case 0x84 where names.file == nil && isName(value): names.file = array(value)
        case 0x9F06 where names.terminal == nil && isName(value): names.terminal = array(value)
        case 0x50 where label == nil: label = array(value)
        case 0x9F12 where preferredName == nil: preferredName = array(value)
        case 0x9F11 where codeTable == nil && value.count == 1: codeTable = bcd(value[0])
        case 0x5A where panEnd == nil:
            if let count = PANDigits.count(compressedNumeric: value) { panEnd = lastFour(value, count) }
        case 0x57 where trackEnd == nil:
            if let count = PANDigits.count(track2: value) { trackEnd = lastFour(value, count) }
        default: return
        }
    }

    /// Whether the summary shows this object's value as it stands. The cryptogram, never hidden, is not among these.
    private static func isNameOrLabel(_ tag: Tag) -> Bool {
        switch tag.number {
        case 0x4F, 0x50, 0x84, 0x9F06, 0x9F12: true
        default: false
        }
    }

    var summary: DecodeReport.Summary {
        var summary = DecodeReport.Summary()
        let information = information ?? formatCryptogram?.information
        let value = cryptogram ?? formatCryptogram?.value
        if let information, information & 0xC0 == 0x80, let value, value.count == 8 {
            summary.arqc = hexText(value)
        }
        if let name = names.entry ?? names.file ?? names.terminal {
            summary.aid = hexText(name)
            summary.cardtype = ApplicationName.cardType(name.span)
        }
        summary.applabel = applicationLabel
        summary.creditcard = panEnd ?? trackEnd ?? maskedEnd
        return summary
    }

    private var applicationLabel: String? {
        if let codeTable, let preferredName, let text = text(preferredName, codeTable) { return text }
        return label.flatMap { text($0, nil) }
    }

    /// Trimmed; nil when there is none.
    private func text(_ value: [UInt8], _ part: Int?) -> String? {
        let trimmed = Array(value[trimmedRange(value.span)])
        if trimmed.isEmpty { return nil }
        return part.map { CardText.iso8859(trimmed, part: $0) } ?? CardText.ascii(trimmed)
    }

    /// An application's name: `1PAY.SYS.DDF01` and `2PAY.SYS.DDF01` name the directory.
    private func isName(_ value: Span<UInt8>) -> Bool {
        (5...16).contains(value.count) && !(value[1] == UInt8(ascii: "P") && value[2] == UInt8(ascii: "A"))
    }

    private func lastFour(_ value: Span<UInt8>, _ count: Int) -> String {
        var digits: [UInt8] = []
        for place in count - 4..<count { digits.append(0x30 + PANDigits.nibble(place, value)) }
        return String(decoding: digits, as: UTF8.self)
    }
}
