/// How the card is authenticated without its issuer (Book 3, 10.3).
public enum OfflineAuthenticationMethod: String, Sendable, Hashable {
    /// SDA: the issuer's signature over data that never changes. A copied card passes.
    case staticData = "SDA"
    /// DDA: the card signs a number of the terminal.
    case dynamicData = "DDA"
    /// CDA: DDA together with the application cryptogram.
    case combinedData = "CDA"

    /// The best one that both sides know; nil when there is none.
    /// - Parameters:
    ///   - interchangeProfile: tag 82, of the card.
    ///   - capabilities: tag 9F33, of the terminal.
    static func choose(interchangeProfile: [UInt8], capabilities: [UInt8]) -> Self? {
        guard let card = interchangeProfile.first, capabilities.count >= 3 else { return nil }
        let terminal = capabilities[2]
        if card & 0x01 != 0, terminal & 0x08 != 0 { return .combinedData }
        if card & 0x20 != 0, terminal & 0x40 != 0 { return .dynamicData }
        if card & 0x40 != 0, terminal & 0x80 != 0 { return .staticData }
        return nil
    }

    var failureBit: TerminalVerificationResults.Bit {
        switch self {
        case .staticData: .staticDataAuthenticationFailed
        case .dynamicData: .dynamicDataAuthenticationFailed
        case .combinedData: .combinedDataAuthenticationFailed
        }
    }
}
