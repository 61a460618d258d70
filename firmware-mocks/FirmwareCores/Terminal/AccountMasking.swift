extension AccountData {
    /// Whether the service code stays readable in masked copies.
    enum ServiceCodeMask: Sendable, Hashable {
        case shown, masked
    }

    /// First six and last four digits, expiry date and name; nibble C in binary forms and `*` in the others. A masked
    /// track keeps its sentinels, with one more `*` for the LRC.
    func masked(_ serviceCode: ServiceCodeMask) -> AccountData {
        AccountData(
            accountNumber: Self.maskedNibbles(accountNumber, serviceCode),
            track2Equivalent: Self.maskedNibbles(track2Equivalent, serviceCode),
            track1: Self.maskedTrack(track1, separator: UInt8(ascii: "^"), serviceCode),
            track2: Self.maskedTrack(track2, separator: UInt8(ascii: "="), serviceCode))
    }

    private static func maskedNibbles(_ value: [UInt8], _ serviceCode: ServiceCodeMask) -> [UInt8] {
        var nibbles = value.flatMap { [$0 >> 4, $0 & 0x0F] }
        let end = nibbles.firstIndex { $0 == 0x0D || $0 == 0x0F } ?? nibbles.count
        mask(&nibbles, number: 0..<end, 0x0C)
        if end < nibbles.count, nibbles[end] == 0x0D {
            maskTail(&nibbles, from: end + 1, serviceCode, 0x0C) { $0 <= 9 }
        }
        return stride(from: 0, to: nibbles.count - 1, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }

    private static func maskedTrack(
        _ track: [UInt8], separator: UInt8, _ serviceCode: ServiceCodeMask
    ) -> [UInt8] {
        guard !track.isEmpty else { return [] }
        var track = track
        let star = UInt8(ascii: "*")
        let isTrack1 = separator == UInt8(ascii: "^")
        // Track 1's format code is masked too.
        if isTrack1 { track[1] = star }
        let places = track.indices.filter { track[$0] == separator }
        guard let first = places.first, let last = places.last else { return [] }
        mask(&track, number: (isTrack1 ? 2 : 1)..<first, star)
        maskTail(&track, from: last + 1, serviceCode, star) { $0 != UInt8(ascii: "?") }
        return track + [star]
    }

    private static func mask(_ characters: inout [UInt8], number: Range<Int>, _ mask: UInt8) {
        for place in number.dropFirst(6).dropLast(4) { characters[place] = mask }
    }

    private static func maskTail(
        _ characters: inout [UInt8], from start: Int, _ serviceCode: ServiceCodeMask, _ mask: UInt8,
        where isData: (UInt8) -> Bool
    ) {
        let first = start + (serviceCode == .shown ? 7 : 4)
        for place in characters.indices.dropFirst(first) where isData(characters[place]) { characters[place] = mask }
    }
}
