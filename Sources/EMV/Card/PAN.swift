import Crypto

/// A primary account number (ISO/IEC 7812): 8 to 19 digits. It has no text form but the masked one, is wiped when it is
/// no longer needed, and never appears in a log or an error.
public struct PAN: Sendable, Equatable {
    /// One digit a byte, 0 ... 9.
    private let digits: SecretBytes

    /// From digits 0 ... 9, one a byte; nil unless there are 8 to 19 of them.
    public init?(digits: [UInt8]) {
        guard (8...19).contains(digits.count), digits.allSatisfy({ $0 < 10 }) else { return nil }
        self.digits = SecretBytes(digits)
    }

    /// From the value of tag 5A: format cn, digits then only F to the end (Book 3, 4.3). Nil when it is not that.
    public init?(compressedNumeric value: [UInt8]) {
        guard value.count <= 10 else { return nil }
        var digits: [UInt8] = []
        // All at once: growing would leave digits in memory that nobody wipes.
        digits.reserveCapacity(2 * value.count)
        defer { wipe(&digits) }
        var ended = false
        for place in 0..<2 * value.count {
            let nibble = value[place / 2] >> (place % 2 == 0 ? 4 : 0) & 0x0F
            if nibble == 0x0F {
                ended = true
            } else if ended || nibble > 9 {
                return nil
            } else {
                digits.append(nibble)
            }
        }
        self.init(digits: digits)
    }

    /// From the value of tag 57: the digits before the separator nibble D. Nil when it does not begin with a PAN.
    public init?(track2Equivalent value: [UInt8]) {
        guard value.count <= 19 else { return nil }
        var digits: [UInt8] = []
        defer { wipe(&digits) }
        for nibble in value.lazy.flatMap({ [$0 >> 4, $0 & 0x0F] }) {
            if nibble == 0x0D {
                self.init(digits: digits)
                return
            }
            guard nibble <= 9 else { return nil }
            digits.append(nibble)
        }
        return nil
    }

    /// 8 ... 19.
    public var count: Int { digits.count }

    /// The last four digits, which may be shown and stored (PCI DSS 3.4.1, 3.5.1).
    public var lastFour: String {
        digits.withBytes { text($0.suffix(4)) }
    }

    /// The first six digits (the issuer identification number of old), for brand and bank tables.
    public var issuerPrefix: String {
        digits.withBytes { text($0.prefix(6)) }
    }

    /// `************0119`: as many characters as digits.
    public var masked: String {
        String(repeating: "*", count: count - 4) + lastFour
    }

    /// Lends the digits, one a byte (0 ... 9), for the time of the call: for cryptograms and for the acquirer's message.
    public func withDigits<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try digits.withBytes(body)
    }

    private func text(_ digits: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    }
}

extension PAN: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { masked }
    public var debugDescription: String { masked }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
