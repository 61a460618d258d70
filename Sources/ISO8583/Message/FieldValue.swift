/// What a field holds. Its text form never shows it: whether it may be shown depends on the field.
public enum FieldValue: Hashable, Sendable {
    /// Digits, letters, or printable ASCII, as the field's kind allows.
    case text(String)
    /// The bytes of a binary field.
    case bytes([UInt8])

    /// Characters of a text, bytes of a binary value.
    public var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        }
    }
}

extension FieldValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .text(let text): "(\(text.utf8.count) characters)"
        case .bytes(let bytes): "(\(bytes.count) bytes)"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
