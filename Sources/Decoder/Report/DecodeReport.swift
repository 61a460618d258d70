public import BERTLV

/// What was found in the input, ready to be shown: nothing in it needs to be masked any more.
public struct DecodeReport: Sendable, Hashable {
    /// One data object.
    public struct Object: Sendable, Hashable {
        public var tag: Tag
        /// `unknown` when no dictionary has the tag.
        public var name: String
        /// Of the value, in bytes.
        public var length: Int
        /// Of the tag, from the first byte of the input.
        public var offset: Int
        /// Nil when masked.
        public var value: [UInt8]?
        /// The meaning in one line, or the masked form; nil when there is nothing to say beyond the value.
        public var text: String?
        /// The meaning in several lines: bits set, list entries, remarks.
        public var details: [String]
        /// Nil for a primitive object.
        public var children: [Object]?
    }

    /// Something wrong in the input. Holds no value bytes.
    public struct Problem: Sendable, Hashable {
        /// From the first byte of the input; for text, from its first character.
        public var offset: Int
        public var path: [Tag]
        public var code: Code
        public var message: String

        public init(offset: Int, path: [Tag] = [], code: Code, message: String) {
            self.offset = offset
            self.path = path
            self.code = code
            self.message = message
        }
    }

    /// The facts that a payment response or a receipt needs; nil where the input does not have them.
    public struct Summary: Sendable, Hashable {
        /// The cryptogram as 16 hex digits, only when the card made an ARQC.
        public var arqc: String?
        /// Hex digits.
        public var aid: String?
        public var applabel: String?
        /// The last four digits.
        public var creditcard: String?
        /// By the AID: `VISA`.
        public var cardtype: String?

        public init() {}
    }

    public var objects: [Object] = []
    public var problems: [Problem] = []
    public var summary = Summary()
    /// The status word that ended the input: 0x9000.
    public var trailingStatus: UInt16?

    public init() {}

    /// Decodes TLV data; a status word at its end is set apart.
    public init(tlv bytes: [UInt8], options: DecodeOptions = DecodeOptions()) {
        var writer = ReportBuilder()
        var decoder = ObjectDecoder(reveal: options.reveal)
        var input = DecodeInput(bytes)
        trailingStatus = ObjectStream.run(&input, padding: options.padding, &decoder, &writer)
        objects = writer.finish()
        problems = decoder.problems.all
        summary = decoder.summary.summary
    }
}
