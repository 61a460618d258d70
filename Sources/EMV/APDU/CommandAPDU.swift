/// A command to the card (ISO 7816-4, 5.1): short form, cases 1 to 4, and extended lengths where needed.
public struct CommandAPDU: Sendable, Hashable {
    public var cla: UInt8
    public var ins: UInt8
    public var p1: UInt8
    public var p2: UInt8
    /// Command data, at most 65,535 bytes.
    public var data: [UInt8]
    /// Bytes expected: nil = none (cases 1 and 3); 256 is written 00 in short form.
    public var expectedLength: Int?

    public init(
        cla: UInt8, ins: UInt8, p1: UInt8, p2: UInt8, data: [UInt8] = [], expectedLength: Int? = nil
    ) {
        self.cla = cla
        self.ins = ins
        self.p1 = p1
        self.p2 = p2
        self.data = data
        self.expectedLength = expectedLength
    }

    /// The command as sent at APDU level.
    public var bytes: [UInt8] {
        var out = [cla, ins, p1, p2]
        let needsExtended = data.count > 255 || (expectedLength ?? 0) > 256
        if needsExtended {
            if !data.isEmpty { out += [0, UInt8(data.count >> 8 & 0xFF), UInt8(data.count & 0xFF)] + data }
            if let expectedLength {
                if data.isEmpty { out.append(0) }
                out += [UInt8(expectedLength >> 8 & 0xFF), UInt8(expectedLength & 0xFF)]
            }
        } else {
            if !data.isEmpty { out += [UInt8(data.count)] + data }
            if let expectedLength { out.append(UInt8(expectedLength & 0xFF)) }
        }
        return out
    }
}

extension CommandAPDU: CustomStringConvertible {
    /// The header and the length only: command data may hold card data.
    public var description: String {
        let header = [cla, ins, p1, p2].map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return header.joined() + " (\(data.count) bytes)"
    }
}
