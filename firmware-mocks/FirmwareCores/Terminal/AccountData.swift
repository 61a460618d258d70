/// The account as a card tells it, in every form. Its text form shows sizes only.
public struct AccountData: Sendable, Hashable {
    /// Value of 5A: digits, F-filled.
    public var accountNumber: [UInt8]
    /// Value of 57.
    public var track2Equivalent: [UInt8]
    /// ASCII, with sentinels and without LRC; empty when the card has none.
    public var track1: [UInt8]
    public var track2: [UInt8]

    init(accountNumber: [UInt8], track2Equivalent: [UInt8], track1: [UInt8] = [], track2: [UInt8] = []) {
        self.accountNumber = accountNumber
        self.track2Equivalent = track2Equivalent
        self.track1 = track1
        self.track2 = track2
    }

    /// From the objects of a card's records; nil when neither 57 nor 5A is there.
    ///
    /// The stripe says what the chip does: 57 is track 2 without sentinels (EMV Book 3, annex A).
    /// - Parameter serviceCode: in the place of the card's own, three digits.
    init?(_ objects: TerminalObjects, serviceCode: String? = nil) {
        let digits: String
        var rest: String
        if let track = objects["57"] {
            let text = hexadecimal(track)
            guard let separator = text.firstIndex(of: "D") else { return nil }
            digits = String(text[..<separator])
            rest = String(text[text.index(after: separator)...].prefix { $0 != "F" })
        } else if let number = objects["5A"], let expiry = objects["5F24"], expiry.count >= 2 {
            digits = String(hexadecimal(number).prefix { $0 != "F" })
            rest = hexadecimal(expiry.prefix(2)) + "201"
        } else {
            return nil
        }
        guard digits.allSatisfy(\.isWholeNumber), (8...19).contains(digits.count), rest.count >= 7 else { return nil }
        if let serviceCode { rest = rest.prefix(4) + serviceCode + rest.dropFirst(7) }
        let name = String(decoding: objects["5F20"] ?? [], as: UTF8.self)
        accountNumber = Self.compressed(digits)
        track2Equivalent = Self.compressed(digits + "D" + rest)
        track1 = Array("%B\(digits)^\(name.isEmpty ? " /" : name)^\(rest)?".utf8)
        track2 = Array(";\(digits)=\(rest)?".utf8)
    }

    /// The digit after the expiry date tells whether the card has a chip (ISO 7813).
    var saysChip: Bool {
        guard let separator = track2.firstIndex(of: UInt8(ascii: "=")), track2.count > separator + 5 else {
            return false
        }
        return track2[separator + 5] == UInt8(ascii: "2") || track2[separator + 5] == UInt8(ascii: "6")
    }

    private static func compressed(_ digits: String) -> [UInt8] {
        bytes(fromHexadecimal: digits.count % 2 == 0 ? digits : digits + "F") ?? []
    }
}

extension AccountData: CustomStringConvertible, CustomReflectable {
    public var description: String { "account data, \(track2Equivalent.count) bytes of track 2" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
