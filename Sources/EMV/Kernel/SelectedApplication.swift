/// An application of the card that the terminal takes, too.
public struct Candidate: Sendable, Hashable {
    /// ADF name, 5 ... 16 bytes: tag 4F in a directory, 84 in an FCI.
    public let aid: [UInt8]
    /// Tag 50 as bytes, possibly empty.
    public let label: [UInt8]
    /// Tag 9F12 as bytes, possibly empty, with its code table 9F11.
    public let preferredName: [UInt8]
    public let codeTableIndex: UInt8?
    /// Low nibble of tag 87: 1 best, 15 worst, 0 none.
    public let priority: UInt8
    /// Tag 87, bit 8: may not be selected without the cardholder's confirmation.
    public let needsConfirmation: Bool
    /// The entry of the terminal's list that it matched.
    public let terminalEntry: TerminalApplication
}

/// The application in use, with what its FCI said.
struct SelectedApplication: Sendable, Hashable {
    let aid: [UInt8]
    let terminalEntry: TerminalApplication
    /// Value of tag 9F38; nil when the card asks for nothing.
    let processingOptionsDataObjectList: [UInt8]?
}
