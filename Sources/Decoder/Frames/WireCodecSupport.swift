import EMV
import JSONText
import ReaderWire

extension FrameMatch {
    /// What the wire format finds; at the end of the input a frame whose header is whole is a cut frame.
    init(_ candidate: FrameCandidate, at place: Int, count: Int, isAtEnd: Bool) {
        switch candidate {
        case .frame(let length, let isGood): self = .frame(length: length, isGood: isGood)
        case .noise: self = .noise
        case .incomplete(let needed, let hasHeader):
            if !isAtEnd {
                self = .needsMore(upTo: place + needed)
            } else {
                self = hasHeader ? .frame(length: count - place, isGood: false) : .noise
            }
        }
    }
}

extension FrameFormat {
    /// Whether bytes are frames of this format from the first one on: a good frame, and then the end or another.
    func begins(_ bytes: [UInt8]) -> Bool {
        let bytes = bytes.span
        guard !bytes.isEmpty, case .frame(let length, true) = candidate(in: bytes, at: 0) else { return false }
        guard length < bytes.count else { return true }
        if case .noise = candidate(in: bytes, at: length) { return false }
        return true
    }
}

extension FrameDescription {
    /// A frame with wrong check bytes, or one that the input's end cuts: shown, but not believed.
    /// - Parameter size: what a whole frame of its lengths has.
    static func damaged(_ name: String, _ direction: Direction, _ frame: Span<UInt8>, data start: Int, size: Int)
        -> Self
    {
        let isCut = frame.count < size
        let end = isCut ? frame.count : frame.count - 1
        let data = min(start, end)..<end
        let bytes = array(frame.extracting(data))
        return FrameDescription(
            direction: direction, name: name, data: data,
            // The attribution byte of NEO2 may stand before the objects.
            isSecret: CardObjects.mayHold(bytes) || CardObjects.mayHold(Array(bytes.dropFirst())),
            fault: isCut
                ? "the frame says \(size) bytes and the input ends after \(frame.count)" : "the check bytes are wrong")
    }
}

extension CardObjects {
    /// Whether bytes hold, or damaged or cut may hold, what is masked.
    static func mayHold(_ bytes: [UInt8]) -> Bool {
        CardDataScan.mayHoldPAN(bytes.span) || showsSensitiveTag(bytes) || areHidden(bytes, DecodeOptions())
    }

    /// Whether something that looks like the tag of a card number, a track, a name or a date stands anywhere: in a cut
    /// template its objects are not found by their lengths.
    private static func showsSensitiveTag(_ bytes: [UInt8]) -> Bool {
        for place in bytes.indices {
            let next = place + 1 < bytes.count ? bytes[place + 1] : 0
            switch bytes[place] {
            case 0x5A, 0x57, 0x56: if next < 0x80 { return true }
            case 0x5F: if next == 0x20 || next == 0x24 { return true }
            case 0x9F: if next == 0x6B || next == 0x0B || next == 0x1F || next == 0x20 { return true }
            case 0xDF: if next == 0xAE || next == 0xEE { return true }
            default: break
            }
        }
        return false
    }
}

/// The parts of one message in several frames.
struct JoinedParts {
    /// Longer messages are not put together.
    private static let limit = 16 << 10
    private(set) var bytes: [UInt8] = []
    private var isTooLong = false

    var isEmpty: Bool { bytes.isEmpty && !isTooLong }

    mutating func append(_ part: [UInt8]) {
        isTooLong = isTooLong || bytes.count + part.count > Self.limit
        if isTooLong { bytes = [] } else { bytes += part }
    }

    /// A part is hidden when the message so far is: a card number may be cut by the frame's border.
    var mustHide: Bool { isTooLong || CardObjects.mayHold(bytes) }

    mutating func removeAll() { self = JoinedParts() }
}

func byteText(_ byte: UInt8) -> JSONValue { .string(hexText([byte])) }

/// Characters for a field; nil when there is anything but printable ASCII.
func printableText(_ bytes: [UInt8]) -> JSONValue? {
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    return .string(String(decoding: bytes, as: UTF8.self))
}
