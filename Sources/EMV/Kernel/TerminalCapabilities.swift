/// Tag 9F33 (Book 4, Annex A2), three bytes, by name.
public struct TerminalCapabilities: Sendable, Hashable {
    public let bytes: [UInt8]

    /// Nil unless there are three bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 3 else { return nil }
        self.bytes = bytes
    }

    init(known bytes: [UInt8]) {
        self.bytes = bytes
    }

    public var offersPlaintextPIN: Bool { bytes[1] & 0x80 != 0 }
    public var offersOnlinePIN: Bool { bytes[1] & 0x40 != 0 }
    public var offersSignature: Bool { bytes[1] & 0x20 != 0 }
    public var offersEncipheredPIN: Bool { bytes[1] & 0x10 != 0 }
    public var offersNoCVM: Bool { bytes[1] & 0x08 != 0 }
    /// A PIN can be entered here at all.
    public var hasPINPad: Bool { bytes[1] & 0xD0 != 0 }
    public var performsSDA: Bool { bytes[2] & 0x80 != 0 }
    public var performsDDA: Bool { bytes[2] & 0x40 != 0 }
    public var performsCDA: Bool { bytes[2] & 0x08 != 0 }
}
