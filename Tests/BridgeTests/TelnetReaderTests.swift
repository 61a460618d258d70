import Bridge
import SeededInput
import Testing

/// What was read, as the bytes of the items rather than their places, with neighbouring data joined.
enum ReadItem: Hashable {
    case data([UInt8])
    case negotiation(TelnetVerb, UInt8)
    case subnegotiation(UInt8, [UInt8])
    case command(UInt8)
}

/// Reads the pieces one after the other.
func read(_ pieces: [[UInt8]]) -> [ReadItem] {
    var reader = TelnetReader()
    var items: [ReadItem] = []
    for piece in pieces {
        piece.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                let (item, end) = reader.next(in: bytes, from: place)
                #expect(end > place && end <= bytes.count, "it always goes forward")
                guard end > place else { return }
                place = end
                switch item {
                case .data(let range):
                    if case .data(let before) = items.last {
                        items[items.count - 1] = .data(before + piece[range])
                    } else {
                        items.append(.data(Array(piece[range])))
                    }
                case .negotiation(let verb, let option): items.append(.negotiation(verb, option))
                case .subnegotiation(let option, let parameters): items.append(.subnegotiation(option, parameters))
                case .command(let code): items.append(.command(code))
                case nil: #expect(end == bytes.count)
                }
            }
        }
    }
    return items
}

@Suite("Telnet is taken apart (RFC 854, RFC 855)")
struct TelnetReaderTests {
    /// RFC 854: commands and their codes; RFC 855: subnegotiation, with 255 doubled in it; RFC 856: data.
    private static let stream: [UInt8] =
        [0x41, 0x42, 255, 255, 0x0D, 0x00]  // AB, a byte 255, CR NUL
        + [255, 253, 0]  // IAC DO TRANSMIT-BINARY
        + [255, 251, 44]  // IAC WILL COM-PORT-OPTION
        + [255, 254, 1, 255, 252, 3]  // IAC DONT ECHO, IAC WONT SUPPRESS-GO-AHEAD
        + [255, 246]  // IAC AYT
        + [255, 250, 44, 1, 0, 0, 255, 255, 1, 255, 240]  // IAC SB COM-PORT-OPTION SET-BAUDRATE 0000FF01 IAC SE
        + [0x43]
    private static let items: [ReadItem] = [
        .data([0x41, 0x42, 255, 0x0D, 0x00]), .negotiation(.do, 0), .negotiation(.will, 44), .negotiation(.dont, 1),
        .negotiation(.wont, 3), .command(246), .subnegotiation(44, [1, 0, 0, 255, 1]), .data([0x43]),
    ]

    @Test("data, options, subnegotiations and commands")
    func wholeStream() {
        #expect(read([Self.stream]) == Self.items)
    }

    @Test("cut after any byte, and into single bytes: the same")
    func everySplit() {
        for cut in 0...Self.stream.count {
            #expect(read([Array(Self.stream[..<cut]), Array(Self.stream[cut...])]) == Self.items, "cut at \(cut)")
        }
        #expect(read(Self.stream.map { [$0] }) == Self.items)
    }

    @Test("data without 255 is one item, which needs no copy")
    func plainData() {
        let bytes = (0..<4096).map { UInt8($0 % 255) }
        var reader = TelnetReader()
        bytes.withUnsafeBytes { #expect(reader.next(in: $0, from: 0).item == .data(0..<4096)) }
    }

    @Test("a command in a subnegotiation ends it, and counts")
    func brokenSubnegotiation() {
        #expect(read([[255, 250, 44, 1, 0, 255, 253, 0, 0x41]]) == [.negotiation(.do, 0), .data([0x41])])
        #expect(read([[255, 250, 44, 255, 250, 44, 8, 255, 240]]) == [.subnegotiation(44, [8])])
        #expect(read([[255, 250, 255, 240, 0x41]]) == [.data([0x41])])
        #expect(read([[255, 240]]) == [.command(240)])
    }

    @Test("a subnegotiation that is too long is passed over, and one that just fits is not")
    func longSubnegotiation() {
        let fits = [UInt8](repeating: 7, count: TelnetReader.longestSubnegotiation - 1)
        #expect(read([[255, 250, 44] + fits + [255, 240]]) == [.subnegotiation(44, fits)])
        #expect(read([[255, 250, 44] + fits + [7, 255, 240, 0x41]]) == [.data([0x41])])
    }

    @Test("whatever comes, it goes on, forgets nothing and makes nothing up: 20,000 seeds")
    func fuzz() {
        for seed in UInt64(0)..<20_000 {
            var numbers = SeededNumbers(seed: seed)
            // Bytes that mean something are frequent.
            let usual: [UInt8] = [255, 255, 255, 250, 240, 251, 252, 253, 254, 44, 0, 1, 0x41]
            let bytes = (0..<Int.random(in: 0...120, using: &numbers)).map { _ in
                Bool.random(using: &numbers)
                    ? usual[Int.random(in: 0..<usual.count, using: &numbers)]
                    : UInt8.random(in: 0...255, using: &numbers)
            }
            let items = read([bytes])
            var pieces: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...rest.count, using: &numbers)
                pieces.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(read(pieces) == items, "seed \(seed)")
            // Every byte belongs to one item at most.
            let length = items.reduce(0) { sum, item in
                switch item {
                case .data(let data): sum + data.count
                case .negotiation: sum + 3
                case .subnegotiation(_, let parameters): sum + 5 + parameters.count
                case .command: sum + 2
                }
            }
            #expect(length <= bytes.count, "seed \(seed)")
        }
    }

    @Test("any data comes through doubled and back: 2,000 seeds")
    func doubling() {
        for seed in UInt64(0)..<2000 {
            var numbers = SeededNumbers(seed: seed)
            let data = (0..<Int.random(in: 1...200, using: &numbers)).map { _ -> UInt8 in
                Int.random(in: 0...2, using: &numbers) == 0 ? 255 : UInt8.random(in: 0...255, using: &numbers)
            }
            let sent = data.flatMap { $0 == 255 ? [255, 255] : [$0] }
            #expect(read([sent]) == [.data(data)], "seed \(seed)")
        }
    }
}
