import Glibc

/// WILL, WONT, DO and DONT (RFC 854).
public enum TelnetVerb: UInt8, Sendable, Hashable, CaseIterable {
    case will = 251
    case wont, `do`, dont
}

/// Numbers of RFC 854 and of the options that are spoken here.
enum TelnetCode {
    static let endOfSubnegotiation: UInt8 = 240
    static let subnegotiation: UInt8 = 250
    static let escape: UInt8 = 255
}

/// Takes a Telnet stream apart (RFC 854, RFC 855), cut anywhere. Sans-I/O. Memory: one subnegotiation of at most
/// `longestSubnegotiation` bytes; a longer one is skipped. Nothing that it reads is an error: what makes no sense is
/// passed over, as Telnet wants it.
///
/// Data is data whether or not the binary option was agreed: no line ends are changed (RFC 856 for everybody).
public struct TelnetReader: Sendable {
    public enum Item: Sendable, Hashable {
        /// These bytes of the input, counted from its start. A doubled 255 shows its second half.
        case data(Range<Int>)
        case negotiation(TelnetVerb, option: UInt8)
        /// The parameters without the option's number, with every doubled 255 single.
        case subnegotiation(option: UInt8, [UInt8])
        /// Any other command: break, are-you-there …
        case command(UInt8)
    }

    private enum State: Sendable {
        case data, escaped
        case verb(TelnetVerb)
        case subnegotiation, escapedInSubnegotiation
    }

    /// Bytes, with the option's number.
    public static let longestSubnegotiation = 256

    private var state = State.data
    private var collected: [UInt8] = []
    private var isTooLong = false

    public init() {}

    /// True between items, when a byte other than 255 would be data.
    var isBetweenItems: Bool { if case .data = state { true } else { false } }

    /// The next item at or after `start`, and where the one after it begins. Nil when the input is used up first; what
    /// was begun goes on with the next input, whose `start` is 0.
    public mutating func next(in bytes: UnsafeRawBufferPointer, from start: Int) -> (item: Item?, end: Int) {
        var place = start
        while place < bytes.count {
            if case .data = state, bytes[place] != TelnetCode.escape {
                let end = Self.nextEscape(in: bytes, from: place)
                return (.data(place..<end), end)
            }
            let item = step(bytes[place], at: place)
            place += 1
            if let item { return (item, place) }
        }
        return (nil, bytes.count)
    }

    private mutating func step(_ byte: UInt8, at place: Int) -> Item? {
        switch state {
        case .data:
            state = .escaped
            return nil
        case .escaped: return command(byte, at: place)
        case .verb(let verb):
            state = .data
            return .negotiation(verb, option: byte)
        case .subnegotiation:
            if byte == TelnetCode.escape { state = .escapedInSubnegotiation } else { collect(byte) }
            return nil
        case .escapedInSubnegotiation: return commandInSubnegotiation(byte, at: place)
        }
    }

    private mutating func command(_ byte: UInt8, at place: Int) -> Item? {
        state = .data
        if byte == TelnetCode.escape { return .data(place..<place + 1) }
        if let verb = TelnetVerb(rawValue: byte) {
            state = .verb(verb)
            return nil
        }
        if byte == TelnetCode.subnegotiation {
            state = .subnegotiation
            collected = []
            isTooLong = false
            return nil
        }
        return .command(byte)
    }

    private mutating func commandInSubnegotiation(_ byte: UInt8, at place: Int) -> Item? {
        if byte == TelnetCode.escape {
            state = .subnegotiation
            collect(byte)
            return nil
        }
        // Another command than SE was not expected in there: it ends the subnegotiation, which then means nothing.
        guard byte == TelnetCode.endOfSubnegotiation else { return command(byte, at: place) }
        state = .data
        defer { collected = [] }
        guard let option = collected.first, !isTooLong else { return nil }
        return .subnegotiation(option: option, Array(collected.dropFirst()))
    }

    private mutating func collect(_ byte: UInt8) {
        if collected.count < Self.longestSubnegotiation { collected.append(byte) } else { isTooLong = true }
    }

    static func nextEscape(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(TelnetCode.escape), bytes.count - start)
        else { return bytes.count }
        return UnsafeRawPointer(found) - base
    }
}

/// The other way: data with every 255 doubled.
enum TelnetWriter {
    static func appendData(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        var start = 0
        while start < bytes.count {
            let end = TelnetReader.nextEscape(in: bytes, from: start)
            output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            guard end < bytes.count else { return }
            output += [TelnetCode.escape, TelnetCode.escape]
            start = end + 1
        }
    }

    static func negotiation(_ verb: TelnetVerb, option: UInt8) -> [UInt8] {
        [TelnetCode.escape, verb.rawValue, option]
    }

    static func subnegotiation(option: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        var bytes = [TelnetCode.escape, TelnetCode.subnegotiation, option]
        parameters.withUnsafeBytes { appendData($0, to: &bytes) }
        return bytes + [TelnetCode.escape, TelnetCode.endOfSubnegotiation]
    }
}
