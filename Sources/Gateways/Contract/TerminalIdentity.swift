/// Which terminal asks.
public struct TerminalIdentity: Hashable, Sendable {
    /// Tag 9F1C, up to 8 characters.
    public let terminalID: String
    /// Tag 9F16, up to 15 characters.
    public let merchantID: String
    /// ISO 3166-1 numeric, tag 9F1A: 484 is Mexico.
    public let country: UInt16

    public init(terminalID: String, merchantID: String, country: UInt16) {
        self.terminalID = terminalID
        self.merchantID = merchantID
        self.country = country
    }
}
