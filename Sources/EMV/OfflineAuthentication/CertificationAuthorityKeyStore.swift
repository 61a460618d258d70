/// The keys and revocations that a terminal knows. Data, not code: see `init(json:)` for the file.
public struct CertificationAuthorityKeyStore: Sendable, Hashable {
    private struct Name: Sendable, Hashable {
        let provider: [UInt8]
        let index: UInt8
    }

    private var keys: [Name: CertificationAuthorityKey] = [:]
    public private(set) var revoked: CertificateRevocationList

    /// No keys: every offline data authentication fails.
    public static let empty = CertificationAuthorityKeyStore()

    /// A key that comes twice replaces the earlier one.
    public init(keys: [CertificationAuthorityKey] = [], revoked: CertificateRevocationList = .init()) {
        for key in keys { self.keys[Name(provider: key.provider, index: key.index)] = key }
        self.revoked = revoked
    }

    public var count: Int { keys.count }

    /// The same keys, with more certificates revoked.
    public func revoking(_ more: CertificateRevocationList) -> CertificationAuthorityKeyStore {
        var store = self
        store.revoked = revoked.union(more)
        return store
    }

    /// The key that a card of this application names in tag 8F. `provider` may be the whole AID.
    public func key(provider: [UInt8], index: UInt8) -> CertificationAuthorityKey? {
        keys[Name(provider: Array(provider.prefix(5)), index: index)]
    }
}
