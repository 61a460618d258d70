public import Crypto

/// A PIN as a PIN pad gives it away: enciphered under a key that this program does not have. There is no type for a PIN in
/// clear, and nothing here can open a block. It cannot print itself, and is wiped when the last reference goes.
public struct PINBlock: Sendable {
    /// How the PIN stands in the enciphered block (ISO 9564-1, 9.3 and 9.4).
    public enum Format: Int, Sendable, Hashable, CaseIterable {
        /// Bound to the account number; 8 bytes.
        case iso0 = 0
        /// As format 0 with a random filler; 8 bytes.
        case iso3 = 3
        /// For AES; 16 bytes.
        case iso4 = 4

        /// Bytes of a block.
        public var length: Int { self == .iso4 ? 16 : 8 }
    }

    /// Which key it is under. None of this is secret.
    public enum Key: Sendable, Hashable {
        /// A zone key, by its number at the host, 0 ... 99.
        case zone(index: Int)
        /// A key derived for this transaction (ANSI X9.24): the key serial number, 10 bytes with TDES, 12 with AES.
        case derived(serialNumber: [UInt8])
    }

    public let format: Format
    public let key: Key
    private let content: SecretBytes

    /// Nil when the block or the key's name does not have the length of its kind.
    public init?(enciphered content: SecretBytes, format: Format, key: Key) {
        guard content.count == format.length else { return nil }
        switch key {
        case .zone(let index): guard (0...99).contains(index) else { return nil }
        case .derived(let number): guard number.count == (format == .iso4 ? 12 : 10) else { return nil }
        }
        self.content = content
        self.format = format
        self.key = key
    }

    /// Lends the enciphered bytes for the time of the call, for the host's message.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        content.withBytes(body)
    }
}

extension PINBlock: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(a PIN block, format \(format.rawValue))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
