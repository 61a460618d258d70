/// One issuer script of one command that the simulator sends with its approvals.
public struct IssuerScript: Sendable, Hashable {
    public enum Phase: Sendable, Hashable {
        /// Tag 71.
        case beforeFinalCryptogram
        /// Tag 72.
        case afterFinalCryptogram
    }

    public let phase: Phase
    /// Tag 9F18, four bytes; empty to leave it out.
    public let identifier: [UInt8]
    /// CLA INS P1 P2.
    public let header: [UInt8]
    /// Command data without the MAC.
    public let data: [UInt8]

    /// Nil when the identifier is not empty or four bytes, the header not four bytes, or the data over 240 bytes.
    public init?(phase: Phase, identifier: [UInt8] = [], header: [UInt8], data: [UInt8] = []) {
        guard [0, 4].contains(identifier.count), header.count == 4, data.count <= 240 else { return nil }
        self.phase = phase
        self.identifier = identifier
        self.header = header
        self.data = data
    }
}
