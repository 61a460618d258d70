import BERTLV

/// The answer to DE D6: a PIN block as the reader encrypted it, for a host that has the key. It is passed on as it is; its
/// text form shows sizes only.
public struct MPIOnlinePIN: Sendable, Hashable {
    /// DFAE04.
    public let encryptedBlock: [UInt8]
    /// DFAE05.
    public let keySerialNumber: [UInt8]

    /// Nil when one of the two is missing, or no length that it could have.
    public init?(_ answer: MPIResponse) {
        let tree = TLVTree(parsing: answer.data)
        guard answer.isSuccess, tree.isClean, let block = tree.first(0xDFAE04), let serial = tree.first(0xDFAE05),
            [8, 16].contains(block.count), (8...12).contains(serial.count)
        else { return nil }
        encryptedBlock = block
        keySerialNumber = serial
    }
}

extension MPIOnlinePIN: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "online PIN, \(encryptedBlock.count) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension MPICommand {
    /// DE D6: asks the person for a PIN that the issuer checks.
    /// - Parameter objects: data objects for E0, at most 253 bytes: amount, currency, what the host's key scheme needs.
    public static func onlinePIN(_ objects: [UInt8]) -> Self {
        Self(cla: 0xDE, ins: 0xD6, data: encodeTLV(0xE0, objects))
    }
}
