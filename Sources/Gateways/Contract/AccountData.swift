public import EMV

/// The account of a request: in clear, or as a secured reader has encrypted it for the host. Its text form shows nothing.
public enum AccountData: Sendable {
    case clear(PAN, CardExpiry)
    /// Only a host with the reader's base key can read it. Goes through as it is.
    case encrypted(EncryptedCardData)
}

extension AccountData: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .clear(let pan, _): pan.masked
        case .encrypted: "encrypted card data"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
