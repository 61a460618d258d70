import FirmwareCores

/// A `struct usbdevfs_urb` of the client, 56 bytes.
struct RequestBlock: Sendable, Hashable {
    enum Kind: UInt8, Sendable {
        case interrupt = 1
        case control = 2
        case bulk = 3
    }

    static let size = 56
    static let statusOffset: UInt = 4
    static let actualLengthOffset: UInt = 28
    /// usbfs's own limit on the memory of a transfer.
    static let largestBuffer = 16 * 1024 * 1024

    /// Where it is in the client's memory, which is also its name.
    var address: UInt
    var kind: Kind
    var endpoint: UInt8
    var flags: UInt32
    var buffer: UInt
    var bufferLength: Int

    /// Nil when usbfs would answer EINVAL.
    init?(address: UInt, bytes: [UInt8]) {
        guard bytes.count == Self.size, let kind = Kind(rawValue: bytes[0]) else { return nil }
        let (flags, buffer, length) = bytes.withUnsafeBytes { raw in
            (
                raw.loadUnaligned(fromByteOffset: 8, as: UInt32.self),
                raw.loadUnaligned(fromByteOffset: 16, as: UInt.self),
                raw.loadUnaligned(fromByteOffset: 24, as: Int32.self)
            )
        }
        guard length >= 0, length <= Self.largestBuffer, kind != .control || length >= 8 else { return nil }
        self.address = address
        self.kind = kind
        endpoint = bytes[1]
        self.flags = flags
        self.buffer = buffer
        bufferLength = Int(length)
    }

    /// USBDEVFS_URB_SHORT_NOT_OK: fewer bytes than asked for are an error (EREMOTEIO).
    var isShortAnError: Bool { flags & 0x01 != 0 }
    /// USBDEVFS_URB_BULK_CONTINUATION: part of the same transfer as the block before it.
    var isContinuation: Bool { flags & 0x04 != 0 }
    /// Device to host, judged by the endpoint; for control the setup packet decides.
    var isIn: Bool { endpoint & 0x80 != 0 }
}

/// A block that can be reaped.
struct CompletedBlock: Sendable, Hashable {
    var block: RequestBlock
    /// 0 or a negative errno.
    var status: Int32
    /// Device-to-host bytes, to be written at `target`.
    var data: [UInt8]
    var target: UInt
    var actualLength: Int
}

extension SetupPacket {
    /// The first eight bytes of a control buffer.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        self.init(
            requestType: bytes[0], request: bytes[1], value: UInt16(bytes[2]) | UInt16(bytes[3]) << 8,
            index: UInt16(bytes[4]) | UInt16(bytes[5]) << 8, length: UInt16(bytes[6]) | UInt16(bytes[7]) << 8)
    }

    var isIn: Bool { requestType & 0x80 != 0 }
}
