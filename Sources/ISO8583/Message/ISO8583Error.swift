/// Why a message cannot be encoded or decoded, with the place. Never holds what stood there.
public struct ISO8583Error: Error, Hashable, Sendable {
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The bytes end before the message does.
        case tooShort
        /// The type is not four digits.
        case messageType
        /// A hexadecimal bitmap has other characters.
        case bitmap
        /// The profile does not define the field.
        case undefinedField
        /// The length prefix is not a number.
        case lengthDigits
        /// The value is longer than the field may be, or than its length prefix can say.
        case tooLong
        /// A field of fixed length with another length.
        case wrongLength
        /// A character or nibble that the field's kind does not have.
        case character
        /// The filler of an odd number of digits is not the profile's.
        case filler
        /// A text for a binary field, or bytes for a text.
        case wrongKind
        /// Bytes follow the last field.
        case trailingBytes
        /// The message would be longer than any that is sent.
        case messageTooLong
    }

    public let code: Code
    /// The field that was read or written; nil for the message as a whole, its type and bitmaps.
    public let field: Int?
    /// Byte in the encoded message at which the field, or the offending byte of the message, begins.
    public let offset: Int

    public init(_ code: Code, field: Int? = nil, offset: Int) {
        self.code = code
        self.field = field
        self.offset = offset
    }
}

extension ISO8583Error: CustomStringConvertible {
    public var description: String {
        let place = field.map { "Field \($0), byte \(offset)" } ?? "Byte \(offset)"
        return "\(place): \(sentence)."
    }

    private var sentence: String {
        switch code {
        case .tooShort: "the message ends too early"
        case .messageType: "the message type is not four digits"
        case .bitmap: "the bitmap is not hexadecimal"
        case .undefinedField: "the profile does not define this field"
        case .lengthDigits: "the length is not a number"
        case .tooLong: "the value is longer than the field may be"
        case .wrongLength: "the value does not have the field's length"
        case .character: "the value has a character that the field does not take"
        case .filler: "the filler of an odd number of digits is wrong"
        case .wrongKind: "text and bytes are mixed up"
        case .trailingBytes: "there are bytes after the last field"
        case .messageTooLong: "the message is too long"
        }
    }
}
