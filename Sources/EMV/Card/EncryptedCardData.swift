/// Account data as a secured reader encrypts them, for a host that has the key. Its text form shows sizes only.
public struct EncryptedCardData: Sendable, Hashable {
    /// How the key is derived and what it is for.
    public enum Scheme: String, Sendable, Hashable, CaseIterable {
        /// ANSI X9.24-1, triple DES in CBC mode with a zero IV, data key variant (request).
        case tdesDUKPT = "tdes-dukpt"
        /// AES; derivation as the vendor says.
        case aesDUKPT = "aes-dukpt"
        /// The reader does not say.
        case unknown
    }

    /// What the plain text is.
    public enum Content: String, Sendable, Hashable, CaseIterable {
        /// Value of tag 57.
        case track2Equivalent
        /// Value of tag 5A.
        case accountNumber
        /// ASCII with sentinels.
        case track1, track2, track3
    }

    public let scheme: Scheme
    /// 8 to 12 bytes.
    public let keySerialNumber: [UInt8]
    public let parts: [Content: [UInt8]]

    /// Nil when there is nothing in it, or no key serial number that could be one.
    public init?(scheme: Scheme, keySerialNumber: [UInt8], parts: [Content: [UInt8]]) {
        let parts = parts.filter { !$0.value.isEmpty }
        guard (8...12).contains(keySerialNumber.count), !parts.isEmpty else { return nil }
        self.scheme = scheme
        self.keySerialNumber = keySerialNumber
        self.parts = parts
    }
}

extension EncryptedCardData: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        let sizes = parts.map { "\($0.key.rawValue) \($0.value.count)" }.sorted().joined(separator: ", ")
        return "\(scheme.rawValue): \(sizes) bytes"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
