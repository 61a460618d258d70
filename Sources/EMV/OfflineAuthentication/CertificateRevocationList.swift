/// Issuer certificates that a scheme has withdrawn (Book 2, 5.1.2; Book 4, 10.2).
public struct CertificateRevocationList: Sendable, Hashable {
    /// One certificate.
    public struct Entry: Sendable, Hashable {
        /// The RID, five bytes.
        public let provider: [UInt8]
        /// Of the certification authority key that made the certificate.
        public let index: UInt8
        /// Three bytes.
        public let serialNumber: [UInt8]

        /// Nil unless the RID has five bytes and the serial number three.
        public init?(provider: [UInt8], index: UInt8, serialNumber: [UInt8]) {
            guard provider.count == 5, serialNumber.count == 3 else { return nil }
            self.provider = provider
            self.index = index
            self.serialNumber = serialNumber
        }
    }

    private var entries: Set<Entry>

    public init(_ entries: some Sequence<Entry> = []) {
        self.entries = Set(entries)
    }

    public var count: Int { entries.count }

    /// Both lists together.
    public func union(_ other: CertificateRevocationList) -> CertificateRevocationList {
        CertificateRevocationList(entries.union(other.entries))
    }

    func contains(provider: [UInt8], index: UInt8, serialNumber: [UInt8]) -> Bool {
        Entry(provider: provider, index: index, serialNumber: serialNumber).map(entries.contains) ?? false
    }
}
