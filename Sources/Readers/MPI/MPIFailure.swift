import ReaderWire

/// A status word that is no success.
public struct MPIFailure: Error, Sendable, Hashable {
    /// SW1 SW2.
    public let statusWord: UInt16
    /// What was being done.
    public let operation: String

    /// In the words of every reader; the word stays readable in the detail: `status 9F13`.
    public var readerError: ReaderError {
        ReaderError(code, during: operation, detail: "status \(hex4(statusWord).uppercased())")
    }

    /// The words of errors are not published: those named here are remembered, and harm nobody when they are wrong.
    private var code: ReaderError.Code {
        switch statusWord {
        case 0x6D00, 0x6E00: .unsupported
        case 0x9F23: .cardRemoved
        case 0x9F41: .cancelled
        default: .protocolViolation
        }
    }

    /// What the word means for a payment whose card is there; nil for what is no trouble of the card.
    var ending: ReaderStop.Reason? {
        switch statusWord {
        case 0x9F25, 0x9F30: .cardFault
        case 0x9F28: .notAccepted
        case 0x9F41: .cancelledByCardholder
        default: nil
        }
    }
}
