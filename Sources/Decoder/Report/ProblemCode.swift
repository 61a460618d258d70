import BERTLV
public import StableCodes

extension DecodeReport.Problem {
    /// What is wrong with the input of `decode`: every code of the TLV reader, and those of hex, logs and frames.
    public enum Code: String, DocumentedCode {
        // Of the TLV reader.
        case tagTooLong, tagTruncated, lengthMissing, lengthTruncated, indefiniteLength, lengthInvalid
        case lengthOverrun, childOverrun, valueTruncated, tooDeep, strictPadding
        // Of objects, hex text, logs and frames.
        case dolMalformed, wrongLength, invalidDigit, oddDigits, notAPDU, lineTooLong, commandMissing
        case commandLength, responseMissing, statusInvalid, dolLength, noise, frameBad, moreProblems

        /// A new code of the TLV reader must have one here. Nil: notes about what is read without doubt, and what is said
        /// only of an input that is read as a whole.
        init?(_ code: TLVProblem.Code) {
            switch code {
            case .tagTooLong: self = .tagTooLong
            case .tagTruncated: self = .tagTruncated
            case .lengthMissing: self = .lengthMissing
            case .lengthTruncated: self = .lengthTruncated
            case .indefiniteLength: self = .indefiniteLength
            case .lengthInvalid: self = .lengthInvalid
            case .lengthOverrun: self = .lengthOverrun
            case .childOverrun: self = .childOverrun
            case .valueTruncated: self = .valueTruncated
            case .tooDeep: self = .tooDeep
            case .strictPadding: self = .strictPadding
            case .inputTooLarge, .nonMinimalLength, .nonMinimalTag: return nil
            }
        }

        public var sentence: String {
            switch self {
            case .tagTooLong: "A tag has more than eight bytes."
            case .tagTruncated: "The data end inside a tag."
            case .lengthMissing: "The data end after a tag."
            case .lengthTruncated: "The data end inside a length."
            case .indefiniteLength: "The length byte 80, which EMV does not allow."
            case .lengthInvalid: "A length byte from 89 to FF."
            case .lengthOverrun: "A length that no input of acceptable size can hold."
            case .childOverrun: "An object passes the end of the template that it is in."
            case .valueTruncated: "The data end before the value does."
            case .tooDeep: "More templates within templates than are read."
            case .strictPadding: "A 00 byte between objects, with --padding strict."
            case .dolMalformed: "A list of tags and lengths (DOL) that is none."
            case .wrongLength: "A value whose length its object does not have."
            case .invalidDigit: "A character that is not a hex digit."
            case .oddDigits: "The number of hex digits is odd: one is missing."
            case .notAPDU: "A line that is neither a command nor a response."
            case .lineTooLong: "A line is cut, because it is too long."
            case .commandMissing: "A response without a command."
            case .commandLength: "The length of a command does not fit its data."
            case .responseMissing: "A command without a response."
            case .statusInvalid: "A response that does not end with a status word."
            case .dolLength: "The data do not have the length that the card's list asks for."
            case .noise: "Bytes that are no frame."
            case .frameBad: "A frame with wrong check bytes, or cut by the end of the input."
            case .moreProblems: "More problems than are listed."
            }
        }

        /// Whoever made the data; nobody else can say what they should be.
        public var whoActs: WhoActs {
            switch self {
            case .tagTooLong, .tagTruncated, .lengthMissing, .lengthTruncated, .indefiniteLength, .lengthInvalid,
                .lengthOverrun, .childOverrun, .valueTruncated, .tooDeep, .strictPadding, .dolMalformed, .wrongLength,
                .invalidDigit, .oddDigits, .notAPDU, .lineTooLong, .commandMissing, .commandLength, .responseMissing,
                .statusInvalid, .dolLength, .noise, .frameBad, .moreProblems:
                .integrator
            }
        }

        public var nextStep: String {
            switch self {
            case .strictPadding: "Use --padding zero if the bytes are meant as padding."
            case .moreProblems: "Correct the first ones, then decode again."
            case .invalidDigit, .oddDigits: "Correct the hex text at the offset."
            case .notAPDU, .lineTooLong, .commandMissing, .commandLength, .responseMissing, .statusInvalid:
                "Look at the log at the offset: it may be cut, or in another format (--format)."
            case .noise, .frameBad:
                "Look at the recording at the offset: bytes may be missing, or it is another protocol (--format)."
            case .tagTooLong, .tagTruncated, .lengthMissing, .lengthTruncated, .indefiniteLength, .lengthInvalid,
                .lengthOverrun, .childOverrun, .valueTruncated, .tooDeep:
                "Look at the data at the offset: they may be cut, or not be TLV."
            case .dolMalformed, .wrongLength, .dolLength:
                "Look at the object at the offset: the card's or the host's data are wrong."
            }
        }
    }
}
