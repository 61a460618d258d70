/// Why a command cannot be carried by T=0, or why its exchange ended without a status word.
public enum T0Error: String, Error, Sendable, Hashable, CaseIterable {
    /// The bytes are no short command APDU (ISO/IEC 7816-3, 12.1).
    case malformedAPDU
    /// The command has extended length fields, which T=0 carries only in ENVELOPE (ISO/IEC 7816-3, 12.2).
    case extendedLength
    /// `receive` without a command under way.
    case notWaiting
    /// Less than SW1 and SW2: a reader error, not a status.
    case responseTooShort
    /// More data in one response than T=0 can carry, or more than 65,538 bytes in all.
    case responseTooLong
    /// SW1 is neither 61 to 6F nor 90 to 9F (ISO/IEC 7816-3, 10.3.3).
    case invalidStatusWord
    /// The card still asks for more after 16 commands.
    case tooManyRounds
}

extension T0Error: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformedAPDU: "The command is not a well-formed short APDU."
        case .extendedLength: "The command has extended length fields, which T=0 cannot carry."
        case .notWaiting: "A response arrived although no command is under way."
        case .responseTooShort: "The response is too short to hold a status word."
        case .responseTooLong: "The response is longer than allowed."
        case .invalidStatusWord: "The response ends in bytes that are not a status word."
        case .tooManyRounds: "The card asked for too many follow-up commands."
        }
    }
}
