/// Tag 9F35 (Book 4, Annex A1): who runs the terminal, and whether it can go online.
public struct TerminalType: Sendable, Hashable {
    public enum Connection: Sendable, Hashable {
        /// Every transaction goes to the issuer.
        case onlineOnly
        /// Offline decisions are possible, and so is going online.
        case offlineWithOnline
        case offlineOnly
    }

    /// The two digits as BCD, for example 24.
    public let code: UInt8

    /// Nil unless both digits are ones that the Book defines: 1 to 3, and 1 to 6.
    public init?(code: UInt8) {
        guard (1...3).contains(code >> 4), (1...6).contains(code & 0x0F) else { return nil }
        self.code = code
    }

    private init(known code: UInt8) {
        self.code = code
    }

    /// A merchant's unattended terminal that always goes online.
    public static let unattendedOnlineOnly = TerminalType(known: 0x24)
    /// A merchant's unattended terminal that may decide by itself.
    public static let unattendedOfflineWithOnline = TerminalType(known: 0x25)
    /// A merchant's unattended terminal without a line.
    public static let unattendedOfflineOnly = TerminalType(known: 0x26)
    /// A merchant's attended terminal that may decide by itself.
    public static let attendedOfflineWithOnline = TerminalType(known: 0x22)

    public var connection: Connection {
        switch code & 0x0F {
        case 1, 4: .onlineOnly
        case 2, 5: .offlineWithOnline
        default: .offlineOnly
        }
    }

    public var isAttended: Bool { code & 0x0F <= 3 }
    public var isFinancialInstitution: Bool { code >> 4 == 1 }
}
