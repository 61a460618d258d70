/// The place of a field in the file.
struct FieldPath: Sendable, Hashable {
    /// For people: `terminal.applications[2].aid`.
    let text: String
    /// The same for every element of a list: `terminal.applications[].aid`.
    let pattern: String

    static let root = FieldPath(text: "", pattern: "")

    private init(text: String, pattern: String) {
        self.text = text
        self.pattern = pattern
    }

    subscript(key: String) -> FieldPath {
        let name = Self.isPlain(key) ? key : Self.quoted(key)
        return FieldPath(
            text: text.isEmpty ? name : "\(text).\(name)", pattern: pattern.isEmpty ? name : "\(pattern).\(name)")
    }

    subscript(index: Int) -> FieldPath {
        FieldPath(text: "\(text)[\(index)]", pattern: "\(pattern)[]")
    }

    private static func isPlain(_ key: String) -> Bool {
        (1...maximumLength).contains(key.utf8.count)
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// Characters of an unknown key that are shown.
    private static let maximumLength = 40

    /// A key from outside, made harmless: shortened, without characters that steer a terminal.
    private static func quoted(_ key: String) -> String {
        var text = "\""
        for scalar in key.unicodeScalars.prefix(maximumLength) {
            text.unicodeScalars.append(steers(scalar) || scalar == "\"" ? "\u{FFFD}" : scalar)
        }
        return text + (key.unicodeScalars.count > maximumLength ? "…\"" : "\"")
    }

    static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
