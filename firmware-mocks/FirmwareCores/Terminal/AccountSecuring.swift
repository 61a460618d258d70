/// How a reader hands out account data.
public enum AccountSecuring: Sendable {
    /// As the card tells them.
    case clear
    /// Masked, with copies encrypted under a key of the transaction: triple DES in CBC mode with a zero IV, the data key
    /// of ANSI X9.24-1:2009.
    case encrypted(KeyLadder, showsServiceCode: Bool = true)
    /// Masked, without copies.
    case maskedOnly

    /// The key of the standard's own example. `KeyLadder.test` counts up from its first serial number.
    public struct KeyLadder: Sendable {
        let baseKey: [UInt8]
        /// Of the last transaction.
        public internal(set) var keySerialNumber: [UInt8]

        /// - Parameters:
        ///   - baseKey: 16 bytes.
        ///   - keySerialNumber: ten bytes, with the counter at its start.
        public init?(baseKey: [UInt8], keySerialNumber: [UInt8]) {
            guard baseKey.count == 16, keySerialNumber.count == 10 else { return nil }
            self.init(checked: baseKey, keySerialNumber)
        }

        private init(checked baseKey: [UInt8], _ keySerialNumber: [UInt8]) {
            self.baseKey = baseKey
            self.keySerialNumber = keySerialNumber
        }

        /// BDK 0123456789ABCDEFFEDCBA9876543210, KSN FFFF9876543210E00000 (ANSI X9.24-1:2009, annex A).
        public static let test = KeyLadder(
            checked: [
                0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0xFE, 0xDC, 0xBA, 0x98, 0x76, 0x54, 0x32, 0x10,
            ], [0xFF, 0xFF, 0x98, 0x76, 0x54, 0x32, 0x10, 0xE0, 0x00, 0x00])

        mutating func next() -> DUKPTKey {
            keySerialNumber = DUKPTKey.after(keySerialNumber)
            return DUKPTKey(baseKey: baseKey, keySerialNumber: keySerialNumber).dataKey
        }

        /// What a host with the base key reads; filled up with zeros.
        public func decrypt(_ data: [UInt8], keySerialNumber: [UInt8]) -> [UInt8] {
            DUKPTKey(baseKey: baseKey, keySerialNumber: keySerialNumber).dataKey.decrypt(data)
        }
    }

    /// The account as it leaves the reader. Counts the key serial number up.
    mutating func secure(_ account: AccountData) -> SecuredAccount {
        switch self {
        case .clear:
            return SecuredAccount(shown: account)
        case .maskedOnly:
            return SecuredAccount(shown: account.masked(.masked))
        case .encrypted(var ladder, let showsServiceCode):
            let key = ladder.next()
            self = .encrypted(ladder, showsServiceCode: showsServiceCode)
            return SecuredAccount(
                shown: account.masked(showsServiceCode ? .shown : .masked),
                encrypted: AccountData(
                    accountNumber: key.encrypt(account.accountNumber),
                    track2Equivalent: key.encrypt(account.track2Equivalent),
                    track1: key.encrypt(Self.withCheck(account.track1)),
                    track2: key.encrypt(Self.withCheck(account.track2))),
                keySerialNumber: ladder.keySerialNumber)
        }
    }
}

extension AccountSecuring {
    /// Zero in the place of the LRC, so that a track is as long as its masked copy.
    private static func withCheck(_ track: [UInt8]) -> [UInt8] { track.isEmpty ? [] : track + [0] }
}

extension AccountSecuring.KeyLadder: CustomStringConvertible, CustomReflectable {
    public var description: String { "(key ladder)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The account as it leaves a reader.
public struct SecuredAccount: Sendable {
    /// Masked, or in clear when the reader does not secure.
    public let shown: AccountData
    public let encrypted: AccountData?
    public let keySerialNumber: [UInt8]?
    /// 5F20.
    public internal(set) var cardholderName: [UInt8] = []

    init(shown: AccountData, encrypted: AccountData? = nil, keySerialNumber: [UInt8]? = nil) {
        self.shown = shown
        self.encrypted = encrypted
        self.keySerialNumber = keySerialNumber
    }
}

extension SecuredAccount: CustomStringConvertible, CustomReflectable {
    public var description: String { encrypted == nil ? "account" : "account, encrypted" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
