/// The lines of logs of commands and responses, as people and tools write them.
struct APDULog {
    /// Bytes found on a line, and where each begins in the input.
    struct Piece {
        var bytes: [UInt8]
        var places: [Int]
    }

    enum Line {
        case command(Piece)
        case response(Piece)
        case exchange(command: Piece, response: Piece)
        /// A message of a CCID reader that carries no APDU, a comment, an empty line.
        case other
        case unknown
    }

    /// Lines without marks: a command, then its response.
    private var expectsResponse = false
    /// Marked lines were seen: what has no mark is chatter of the tool.
    private var hasMarks = false

    /// Whether a text is such a log and no plain hex data.
    static func isLikely(_ head: [UInt8]) -> Bool {
        var log = APDULog()
        var commands = 0
        var lines = 0
        var isPlain = true
        for line in head.split(separator: UInt8(ascii: "\n"), maxSplits: 200).prefix(200) {
            switch log.read(Array(line), offset: 0) {
            case .command(let piece), .exchange(let piece, _):
                if log.hasMarks { isPlain = false }
                guard CommandLayout(piece.bytes) != nil, isPlain ? isKnown(piece.bytes) : true else {
                    if isPlain { return false }
                    continue
                }
                commands += 1
            case .response(let piece):
                lines += 1
                if isPlain, !log.hasMarks, !endsWithStatus(piece.bytes) { return false }
            default: continue
            }
        }
        return commands > 0 && (!isPlain || lines > 0)
    }

    private static func isKnown(_ command: [UInt8]) -> Bool {
        CommandName.name(cla: command[0], ins: command[1]) != nil && (command[0] & 0x7F <= 0x0F || command[0] == 0x90)
    }

    private static func endsWithStatus(_ response: [UInt8]) -> Bool {
        guard response.count >= 2 else { return false }
        return response[response.count - 2] & 0xF0 == 0x60 || response[response.count - 2] & 0xF0 == 0x90
    }

    /// - Parameter offset: of the line's first character in the input.
    mutating func read(_ line: [UInt8], offset: Int) -> Line {
        let start = line.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? line.count
        guard start < line.count, line[start] != UInt8(ascii: "#"), line[start] != UInt8(ascii: ";"),
            !line[start...].starts(with: "//".utf8)
        else { return .other }
        if let piece = Self.hex(line[start...], offset) {
            defer { expectsResponse.toggle() }
            return expectsResponse ? .response(piece) : .command(piece)
        }
        if let arrow = line.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }),
            let found = Self.split(line, at: arrow, offset)
        {
            return take(found)
        }
        if let found = Self.labelled(line, offset) { return take(found) }
        return hasMarks ? .other : .unknown
    }

    private mutating func take(_ line: Line) -> Line {
        hasMarks = true
        switch line {
        case .command: expectsResponse = true
        case .response, .exchange: expectsResponse = false
        default: break
        }
        return line
    }

    /// `command < response`, `> command`, `< response`, and libccid's `-> 000000 message`.
    private static func split(_ line: [UInt8], at arrow: Int, _ offset: Int) -> Line? {
        let isShaft: (UInt8) -> Bool = { [0x20, 0x2D, 0x3C, 0x3D, 0x3E, 0x3A, 0x09].contains($0) }
        var left = line[..<arrow]
        while let last = left.last, isShaft(last) { left.removeLast() }
        let right = line[arrow...].drop(while: isShaft)
        guard let after = hex(withoutCounter(right), offset), !after.bytes.isEmpty else { return nil }
        if let before = hex(left, offset), before.bytes.count >= 4 {
            return .exchange(command: before, response: after)
        }
        let isCommand = line[arrow] == UInt8(ascii: ">")
        if let message = cardBytes(after) { return isCommand ? .command(message) : .response(message) }
        if isMessage(after.bytes) { return .other }
        return isCommand ? .command(after) : .response(after)
    }

    /// `C-APDU: …`, `R-APDU: …`, pcscd's `APDU: …` and `SW: …`, and the like.
    private static func labelled(_ line: [UInt8], _ offset: Int) -> Line? {
        let text = String(decoding: line, as: UTF8.self).lowercased()
        let responses = ["r-apdu", "rapdu", "r_apdu", "response", "resp", "recv", "received", "rx", "sw", "answer"]
        let commands = ["c-apdu", "capdu", "c_apdu", "command", "cmd", "send", "sent", "tx", "apdu"]
        // The hex is what stands behind the last word that is not hex: behind a colon, else behind the label.
        var place = line.lastIndex { $0 == UInt8(ascii: ":") && true } ?? -1
        var piece = place >= 0 ? hex(line[(place + 1)...], offset) : nil
        if piece == nil || piece?.bytes.count == 1 {
            place = line.firstIndex(of: 0x20) ?? line.count
            // `00:A4:…` behind a label: from the first colon that hex alone follows.
            for colon in line.indices where line[colon] == UInt8(ascii: ":") || line[colon] == 0x20 {
                if let found = hex(line[(colon + 1)...], offset), found.bytes.count >= 2 {
                    piece = found
                    place = colon
                    break
                }
            }
        }
        guard let piece, piece.bytes.count >= 2, place < line.count else { return nil }
        let label = text.utf8.prefix(place)
        let words = String(decoding: label, as: UTF8.self)
        if responses.contains(where: words.contains) { return .response(piece) }
        if commands.contains(where: words.contains) { return .command(piece) }
        return nil
    }

    /// libccid counts its messages with six digits in front.
    private static func withoutCounter(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = text.dropFirst(6)
        guard rest.first == 0x20, text.prefix(6).allSatisfy({ HexInput.digit($0) < 16 }) else { return text }
        return rest
    }

    private static func isMessage(_ bytes: [UInt8]) -> Bool {
        if case .frame(let length, true) = CCIDCodec().match(bytes.span, at: 0, isAtEnd: true) {
            return length == bytes.count && length >= 10
        }
        return false
    }

    /// What a CCID message carries from or to the card; nil when it is none.
    private static func cardBytes(_ piece: Piece) -> Piece? {
        guard isMessage(piece.bytes), piece.bytes.count > 10, piece.bytes[0] == 0x6F || piece.bytes[0] == 0x80 else {
            return nil
        }
        let range = CCIDCodec.cardBytes(piece.bytes.span, 10..<piece.bytes.count)
        // An ATR comes in the same message.
        if piece.bytes[0] == 0x80, range.count < 2 || (piece.bytes[10] == 0x3B || piece.bytes[10] == 0x3F) {
            return nil
        }
        return Piece(bytes: Array(piece.bytes[range]), places: Array(piece.places[range]))
    }

    /// Nil unless there are hex digits, spaces and colons only, and whole bytes.
    private static func hex(_ text: ArraySlice<UInt8>, _ offset: Int) -> Piece? {
        var piece = Piece(bytes: [], places: [])
        var high: UInt8?
        for place in text.indices {
            let digit = HexInput.digit(text[place])
            switch digit {
            case 0xFE: continue
            case 0xFF: return nil
            default:
                if let first = high {
                    piece.bytes.append(first << 4 | digit)
                    high = nil
                } else {
                    piece.places.append(offset + place)
                    high = digit
                }
            }
        }
        return high == nil && !piece.bytes.isEmpty ? piece : nil
    }
}
