/// Whose batch a movement of money belongs to.
struct BookTerminal: Sendable, Hashable {
    let terminalID: String
    let merchantID: String

    init(terminalID: String, merchantID: String) {
        self.terminalID = terminalID
        self.merchantID = merchantID
    }

    /// Nil when the request does not tell.
    init?(_ terminal: TerminalIdentity) {
        guard !terminal.terminalID.isEmpty else { return nil }
        self.init(terminalID: terminal.terminalID, merchantID: terminal.merchantID)
    }
}
