/// Cuts a stream of bytes, in pieces of any size, into frames.
///
/// Frames are lent where they stand, in the piece fed; only the beginning of a frame whose end has not come yet is kept.
/// No more is kept than twice the protocol's longest frame, whatever lengths the bytes claim. After a frame with wrong
/// check bytes the search goes on at its second byte, so that a good frame hidden in damaged bytes is found; the damaged
/// frame is told once no good one has begun before its end.
public struct Deframer: Sendable {
    private let format: FrameFormat
    /// The bytes from the first that may still be part of a frame.
    private var held: [UInt8] = []
    /// Where in `held` the search goes on, and how many bytes from there on it needs.
    private var cursor = 0
    private var needed = 0
    /// The offset of the first byte held, or of the next byte to be fed.
    private var base = 0
    /// A frame with wrong check bytes that is not told yet, by offsets.
    private var suspect: Range<Int>?
    private var noise: (start: Int, reason: NoiseReason)?

    public init(_ format: FrameFormat) {
        self.format = format
    }

    /// How many bytes wait for the rest of their frame.
    public var heldCount: Int { held.count }

    /// Takes the next bytes.
    /// - Parameter receive: is given each event, and for a frame its bytes, lent for the call; no bytes for noise.
    public mutating func feed(_ bytes: Span<UInt8>, _ receive: (FrameEvent, Span<UInt8>) -> Void) {
        var place = 0
        while place < bytes.count || !held.isEmpty {
            if held.isEmpty {
                cursor = place
                let start = base - place
                scan(bytes, start, isAtEnd: false, receive)
                let first = keepFrom(start)
                hold(bytes.extracting(first..<bytes.count))
                base = start + first
                cursor -= first
                break
            }
            let count = min(max(0, cursor + needed - held.count), bytes.count - place)
            hold(bytes.extracting(place..<place + count))
            place += count
            if held.count < cursor + needed { break }
            scanHeld(isAtEnd: false, receive)
        }
        tellNoise(upTo: base + cursor, receive)
    }

    /// Takes the next bytes and gives events that keep their bytes.
    public mutating func feed(_ bytes: [UInt8]) -> [OwnedFrameEvent] {
        var events: [OwnedFrameEvent] = []
        feed(bytes.span) { event, frame in events.append(OwnedFrameEvent(event, frame)) }
        return events
    }

    /// Ends the wait for more bytes, after a silence or at the end: what is held is told, good frames in it as frames.
    public mutating func finish(_ receive: (FrameEvent, Span<UInt8>) -> Void) {
        scanHeld(isAtEnd: true, receive)
        tellNoise(upTo: base + cursor, receive)
    }

    public mutating func finish() -> [OwnedFrameEvent] {
        var events: [OwnedFrameEvent] = []
        finish { event, frame in events.append(OwnedFrameEvent(event, frame)) }
        return events
    }

    private mutating func scanHeld(isAtEnd: Bool, _ receive: (FrameEvent, Span<UInt8>) -> Void) {
        // Taken out, so that it can be lent while the state changes.
        var bytes: [UInt8] = []
        swap(&bytes, &held)
        let start = base
        scan(bytes.span, start, isAtEnd: isAtEnd, receive)
        let first = keepFrom(start)
        bytes.removeFirst(first)
        base = start + first
        cursor -= first
        swap(&bytes, &held)
    }

    /// The first byte that must be kept: of the damaged frame under way, else of what the search waits for.
    private func keepFrom(_ start: Int) -> Int {
        min(cursor, suspect.map { $0.lowerBound - start } ?? cursor)
    }

    private mutating func hold(_ bytes: Span<UInt8>) {
        held.reserveCapacity(held.count + bytes.count)
        for place in bytes.indices { held.append(bytes[place]) }
    }

    /// Moves the cursor until the bytes end or more are needed.
    /// - Parameter start: the offset of the first byte lent.
    private mutating func scan(
        _ bytes: Span<UInt8>, _ start: Int, isAtEnd: Bool, _ receive: (FrameEvent, Span<UInt8>) -> Void
    ) {
        var place = cursor
        needed = 1
        searching: while true {
            if let damaged = suspect, start + place >= damaged.upperBound {
                suspect = nil
                let range = damaged.lowerBound - start..<damaged.upperBound - start
                receive(.frame(offset: damaged.lowerBound, isGood: false), bytes.extracting(range))
            }
            guard place < bytes.count else { break }
            switch format.candidate(in: bytes, at: place) {
            case .frame(let length, true):
                if let damaged = suspect {
                    suspect = nil
                    noise = (damaged.lowerBound, .badCheck)
                }
                tellNoise(upTo: start + place, receive)
                receive(.frame(offset: start + place, isGood: true), bytes.extracting(place..<place + length))
                place += length
            case .frame(let length, false):
                if suspect == nil {
                    tellNoise(upTo: start + place, receive)
                    suspect = start + place..<start + place + length
                }
                place += 1
            case .noise(let reason):
                skip(start + place, reason)
                place += 1
            case .incomplete(let count, _):
                guard isAtEnd else {
                    needed = count
                    break searching
                }
                skip(start + place, .cut)
                place += 1
            }
        }
        cursor = place
    }

    private mutating func skip(_ offset: Int, _ reason: NoiseReason) {
        guard suspect == nil else { return }
        // The first reason that says more than that no frame begins here is that of the whole run.
        if noise == nil { noise = (offset, reason) } else if noise?.reason == .noStart { noise?.reason = reason }
    }

    private mutating func tellNoise(upTo end: Int, _ receive: (FrameEvent, Span<UInt8>) -> Void) {
        guard let run = noise else { return }
        noise = nil
        receive(.noise(offset: run.start, count: end - run.start, reason: run.reason), Span())
    }
}

extension OwnedFrameEvent {
    fileprivate init(_ event: FrameEvent, _ frame: Span<UInt8>) {
        switch event {
        case .frame(let offset, let isGood):
            self = .frame(bytes: frame.array, offset: offset, isGood: isGood)
        case .noise(let offset, let count, let reason):
            self = .noise(offset: offset, count: count, reason: reason)
        }
    }
}

extension Span<UInt8> {
    /// A copy that may be kept.
    var array: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            for place in indices { buffer[place] = self[place] }
            filled = count
        }
    }
}
