/// An ISO 8583 message as values, apart from how it is encoded. Its text form shows only fields that may be shown.
public struct Message: Hashable, Sendable {
    public var type: MessageType
    /// By number, 2 ... 128.
    public private(set) var fields: [Int: FieldValue] = [:]

    public init(_ type: MessageType) {
        self.type = type
    }

    /// The value of a field; nil when it is absent. Numbers that are not 2 ... 128 are never present.
    public subscript(number: Int) -> FieldValue? {
        get { fields[number] }
        set {
            guard (2...128).contains(number) else { return }
            fields[number] = newValue
        }
    }

    /// The text of a field; nil when it is absent or binary.
    public func text(_ number: Int) -> String? {
        guard case .text(let text) = fields[number] else { return nil }
        return text
    }

    /// The bytes of a binary field; nil when it is absent or text.
    public func bytes(_ number: Int) -> [UInt8]? {
        guard case .bytes(let bytes) = fields[number] else { return nil }
        return bytes
    }

    public mutating func set(_ number: Int, _ text: String) {
        self[number] = .text(text)
    }

    public mutating func set(_ number: Int, _ bytes: [UInt8]) {
        self[number] = .bytes(bytes)
    }

    /// The fields whose content may be shown and logged. Everything else is shown by its size only: account numbers and
    /// tracks (2, 14, 34, 35, 36, 45), PIN data (52), chip data (55), names, keys, codes, and what a network made private.
    public static let showableFields: Set<Int> = [
        3, 4, 7, 11, 12, 13, 15, 18, 19, 22, 24, 25, 32, 33, 37, 38, 39, 41, 42, 49, 66, 70, 74, 75, 76, 77, 86, 87,
        88, 89, 90, 97,
    ]
}

extension Message: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        let shown = fields.sorted { $0.key < $1.key }.map { number, value in
            if case .text(let text) = value, Self.showableFields.contains(number) { return "\(number)=\(text)" }
            return "\(number)=\(value)"
        }
        return ([type.text] + shown).joined(separator: " ")
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
