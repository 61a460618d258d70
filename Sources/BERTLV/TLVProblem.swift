/// What is wrong at one place of the input. Holds offsets, tags and lengths, never value bytes.
public struct TLVProblem: Sendable, Hashable {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// More than eight tag bytes.
        case tagTooLong
        /// The data ends inside a tag.
        case tagTruncated
        /// The data ends after a tag.
        case lengthMissing
        /// The data ends inside a length.
        case lengthTruncated
        /// Length byte 80, which EMV does not allow.
        case indefiniteLength
        /// Length byte 89 to FF.
        case lengthInvalid
        /// A length that no input of acceptable size can hold.
        case lengthOverrun
        /// An object that passes the end of the template it is in.
        case childOverrun
        /// The data ends before the value does.
        case valueTruncated
        /// More templates within templates than are read.
        case tooDeep
        /// 00 between objects, with strict padding.
        case strictPadding
        /// More input than is accepted.
        case inputTooLarge
        /// A longer form of length than needed. A note: the value is read.
        case nonMinimalLength
        /// A tag with a leading zero in its number. A note: the tag is kept.
        case nonMinimalTag
    }

    /// From the first byte of the input: of the first missing byte, the wrong byte, or the object that is wrong.
    public var offset: Int
    /// The tags from the outermost template to the object, the object's own last if it is known.
    public var path: [Tag]
    public var code: Code
    public var message: String

    public init(offset: Int, path: [Tag], code: Code, message: String) {
        self.offset = offset
        self.path = path
        self.code = code
        self.message = message
    }

    /// Unusual, but read without doubt.
    public var isNote: Bool { code == .nonMinimalLength || code == .nonMinimalTag }
}

/// Why strict reading refused the input.
public struct TLVError: Error, Sendable, Hashable {
    public var code: TLVProblem.Code
    public var offset: Int
    public var path: [Tag]
    public var message: String

    init(_ problem: TLVProblem) {
        code = problem.code
        offset = problem.offset
        path = problem.path
        message = problem.message
    }
}

extension TLVError: CustomStringConvertible {
    public var description: String { "\(code.rawValue) at byte \(offset): \(message)" }
}
