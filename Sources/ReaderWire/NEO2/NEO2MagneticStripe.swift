/// The tracks of a swiped card as a secured reader sends them: masked copies, encrypted copies, serial number and KSN.
/// Value of tag DFEE23, and the body of an unasked swipe of the NGA family.
public struct NEO2MagneticStripe: Sendable, Hashable {
    public var cardType: UInt8
    public var trackStatus: UInt8
    /// Masked characters of tracks 1 to 3; empty where a track was not read. Not to be logged: they hold names.
    public var maskedTracks: [[UInt8]]
    public var encryptedTracks: [[UInt8]]
    public var hashes: [[UInt8]]
    /// ASCII, 10 characters.
    public var serialNumber: String?
    public var keySerialNumber: [UInt8]?

    /// Nil when lengths or check bytes are wrong.
    public init?(parsing block: [UInt8]) {
        guard block.count >= 6, block[0] == 0x02, block.last == 0x03 else { return nil }
        let length = Int(block[1]) | Int(block[2]) << 8
        guard length >= 7, block.count == length + 6 else { return nil }
        let body = block[3..<3 + length]
        guard body.reduce(0, ^) == block[3 + length], body.reduce(0, &+) == block[4 + length] else { return nil }
        var reader = Reader(rest: body)
        guard let head = reader.take(7) else { return nil }
        let (lengths, sent, encrypted) = (Array(head[2..<5]), head[5], head[6])
        cardType = head[0]
        trackStatus = head[1]
        maskedTracks = []
        for track in 0..<3 {
            let isSent = sent >> UInt8(track) & 1 != 0
            guard let bytes = reader.take(isSent ? Int(lengths[track]) : 0) else { return nil }
            maskedTracks.append(bytes)
        }
        // The block of the cipher is not told: TDES has 8 bytes, and AES 16.
        let fixed =
            (0..<3).count(where: { encrypted >> UInt8($0 + 3) & 1 != 0 }) * 20 + (sent & 0x80 != 0 ? 10 : 0)
            + (encrypted & 0x80 != 0 ? 10 : 0)
        func size(_ track: Int, _ block: Int) -> Int {
            encrypted >> UInt8(track) & 1 != 0 ? (Int(lengths[track]) + block - 1) / block * block : 0
        }
        let left = reader.rest.count
        guard let block = [8, 16].first(where: { block in (0..<3).reduce(fixed) { $0 + size($1, block) } == left })
        else { return nil }
        encryptedTracks = []
        for track in 0..<3 { encryptedTracks.append(reader.take(size(track, block)) ?? []) }
        hashes = []
        for track in 0..<3 where encrypted >> UInt8(track + 3) & 1 != 0 { hashes.append(reader.take(20) ?? []) }
        if sent & 0x80 != 0 { serialNumber = String(decoding: reader.take(10) ?? [], as: UTF8.self) }
        if encrypted & 0x80 != 0 { keySerialNumber = reader.take(10) }
    }

    /// From track 2 (`;4761********0043=`), else track 1 (`%*4761********0043^`).
    public var maskedPAN: MaskedPAN? {
        for (track, end) in [(1, UInt8(ascii: "=")), (0, UInt8(ascii: "^"))] where maskedTracks.count > track {
            // Track 1's format code stands before the number, masked or not.
            let number = maskedTracks[track].dropFirst(track == 0 ? 2 : 1).prefix { $0 != end }
            if let masked = MaskedPAN(ascii: number) { return masked }
        }
        return nil
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> [UInt8]? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }
}
