/// Encodes and decodes messages by a profile. It does no I/O, and nothing that comes in can make it trap.
public struct MessageCodec: Sendable {
    /// Bytes of the longest message that is encoded or decoded.
    public static let largestMessage = 16_384

    public let profile: Profile

    public init(_ profile: Profile) {
        self.profile = profile
    }

    /// Throws `ISO8583Error`; its offset is that in the message as far as it was encoded.
    public func encode(_ message: Message) throws(ISO8583Error) -> [UInt8] {
        try encodeWithLayout(message).bytes
    }

    /// The encoded message, and where in it each field's content is, without its length prefix. A message
    /// authentication code is made over what precedes its field.
    public func encodeWithLayout(_ message: Message) throws(ISO8583Error) -> EncodedMessage {
        var encoder = MessageEncoder(profile)
        try encoder.encode(message)
        return EncodedMessage(bytes: encoder.bytes, layout: encoder.layout)
    }

    /// Throws `ISO8583Error` with the field and the offset at which the bytes stop being a message.
    public func decode(_ bytes: [UInt8]) throws(ISO8583Error) -> Message {
        try decodeWithLayout(bytes).message
    }

    /// The message, and where in `bytes` each field's content is.
    public func decodeWithLayout(
        _ bytes: [UInt8]
    ) throws(ISO8583Error) -> (message: Message, layout: [Int: Range<Int>]) {
        var decoder = MessageDecoder(bytes, profile)
        let message = try decoder.decode()
        return (message, decoder.layout)
    }
}

/// A message as bytes, with the place of each field's content.
public struct EncodedMessage: Sendable, Hashable {
    public let bytes: [UInt8]
    public let layout: [Int: Range<Int>]
}
