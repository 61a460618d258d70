import JSONText

/// One reader protocol as the decoder sees it: finds frames in a stream of bytes and says what each is. A new protocol
/// needs a codec, a case of `InputFormat`, and a line in `Decoder.run`.
protocol FrameCodec {
    /// As in the JSON: `ccid`.
    var protocolName: String { get }

    /// The most bytes of a frame when frames carry check bytes, so that a good frame that begins within a bad one is
    /// believed; nil when there are none.
    var longestChecked: Int? { get }

    /// Whether an input that begins with these bytes is of this protocol.
    func isLikely(_ head: [UInt8]) -> Bool

    /// What begins at this place.
    func match(_ bytes: Span<UInt8>, at place: Int, isAtEnd: Bool) -> FrameMatch

    /// What the whole frame says. Frames are described in their order, so that a codec can pair answers with questions.
    mutating func describe(_ frame: Span<UInt8>) -> FrameDescription
}

enum FrameMatch: Sendable, Hashable {
    /// A frame of this length; `isGood` when its check bytes, or its lengths where there are none, are right.
    case frame(length: Int, isGood: Bool)
    /// The bytes lent must reach to here.
    case needsMore(upTo: Int)
    case noise
}

struct FrameDescription {
    enum Direction: String {
        case command, response, event
    }

    var direction: Direction
    /// By the protocol's document: `PC_to_RDR_XfrBlock`.
    var name: String
    var fields: [JSONValue.Member] = []
    /// The payload within the frame.
    var data: Range<Int>
    /// The TLV data within the frame, if there is any.
    var objects: Range<Int>?
    /// The payload must not be shown at all, such as a PIN block.
    var isSecret = false
    /// The whole message of which this is the last frame of several, and where its TLV data is in it.
    var joined: (bytes: [UInt8], objects: Range<Int>)?
    /// The last four digits of a card number that the reader masked.
    var cardEnd: String?
    /// What is wrong with the frame, for the list of problems.
    var fault: String?
}
