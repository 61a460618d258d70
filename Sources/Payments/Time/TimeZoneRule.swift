import Glibc

/// The offset of a zone from UTC over time, from the system's zone file (TZif, RFC 8536), or a fixed offset.
///
/// Foundation's `TimeZone` would need its Unicode data in every process, and knows no region at all in a binary that is
/// linked statically; the rule about refunds must hold on every machine, so the file is read here.
public struct TimeZoneRule: Sendable, Hashable {
    /// Sorted by `since`.
    private let transitions: [Transition]
    private let initialOffset: Int

    private struct Transition: Sendable, Hashable {
        let since: Int64
        let offset: Int
    }

    /// Always `offset` seconds ahead of UTC.
    public init(fixedOffset offset: Int) {
        transitions = []
        initialOffset = offset
    }

    /// America/Mexico_City. The country gave up daylight saving time in October 2022, so without the zone file the fixed
    /// offset of six hours is right from then on.
    public static func mexicoCity(zoneDirectory: String = "/usr/share/zoneinfo") -> TimeZoneRule {
        let file = zoneDirectory + "/America/Mexico_City"
        return readFile(file).flatMap(TimeZoneRule.init(zoneFile:)) ?? TimeZoneRule(fixedOffset: -6 * 3600)
    }

    /// From the bytes of a TZif file of version 2 or later; nil when they are not one. A rule for the time after the last
    /// transition (the footer) is not read: the last offset stays.
    public init?(zoneFile bytes: [UInt8]) {
        guard let first = ZoneFileHeader(bytes, at: 0, timeSize: 4), first.version >= 2,
            let second = ZoneFileHeader(bytes, at: first.end, timeSize: 8)
        else { return nil }
        let types = second.typesStart
        func offset(ofType index: Int) -> Int? {
            guard index < second.typeCount else { return nil }
            return Int(Int32(truncatingIfNeeded: bytes.bigEndian(at: types + index * 6, size: 4)))
        }
        guard let initial = offset(ofType: 0) else { return nil }
        var transitions: [Transition] = []
        for index in 0..<second.timeCount {
            let since = bytes.bigEndian(at: second.timesStart + index * 8, size: 8)
            let type = Int(bytes[second.timesStart + second.timeCount * 8 + index])
            guard let offset = offset(ofType: type), transitions.last.map({ $0.since < since }) ?? true else {
                return nil
            }
            transitions.append(Transition(since: since, offset: offset))
        }
        self.transitions = transitions
        initialOffset = initial
    }

    /// Seconds ahead of UTC at `seconds` after 1970-01-01 00:00:00 UTC.
    public func offset(at seconds: Int64) -> Int {
        transitions.last { $0.since <= seconds }?.offset ?? initialOffset
    }

    public func civilTime(atMilliseconds milliseconds: Int64) -> CivilTime {
        let seconds = milliseconds.flooredDivision(by: 1000)
        return CivilTime(secondsSince1970: seconds, offset: offset(at: seconds))
    }

    private static func readFile(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 && count < bytes.count ? Array(bytes.prefix(count)) : nil
    }
}

/// One header of a TZif file (RFC 8536, 3.1) and where its parts lie.
private struct ZoneFileHeader {
    let version: Int
    let timesStart: Int
    let timeCount: Int
    let typesStart: Int
    let typeCount: Int
    let end: Int

    init?(_ bytes: [UInt8], at start: Int, timeSize: Int) {
        guard bytes.count >= start + 44, Array(bytes[start..<start + 4]) == Array("TZif".utf8) else { return nil }
        version = bytes[start + 4] >= 0x32 ? 2 : 1
        let counts = (0..<6).map { Int(bytes.bigEndian(at: start + 20 + $0 * 4, size: 4)) }
        let (utc, standard, leaps, times, types, characters) =
            (counts[0], counts[1], counts[2], counts[3], counts[4], counts[5])
        guard counts.allSatisfy({ (0...100_000).contains($0) }), types > 0 else { return nil }
        timesStart = start + 44
        timeCount = times
        typesStart = timesStart + times * (timeSize + 1)
        typeCount = types
        end = typesStart + types * 6 + characters + leaps * (timeSize + 4) + standard + utc
        guard end <= bytes.count else { return nil }
    }
}

extension [UInt8] {
    /// The caller has checked that `offset + size` is within bounds.
    fileprivate func bigEndian(at offset: Int, size: Int) -> Int64 {
        self[offset..<offset + size].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }
}
