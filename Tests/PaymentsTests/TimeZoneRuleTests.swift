import Glibc
import Payments
import SeededInput
import Testing

@Suite struct TimeZoneRuleTests {
    private static let file = "/usr/share/zoneinfo/America/Mexico_City"

    private static func read() throws -> [UInt8] {
        let stream = try #require(fopen(file, "r"), "the zone files (package tzdata) are needed")
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, stream)
        return Array(bytes.prefix(count))
    }

    @Test(
        "the zone file knows the daylight saving time that Mexico had until 2022",
        arguments: [
            (1_626_350_400, -5), (1_610_712_000, -6),  // 15 July and 15 January 2021
            (1_617_523_199, -6), (1_617_523_200, -5),  // 4 April 2021, 02:00 local time
            (1_635_663_599, -5), (1_635_663_600, -6),  // 31 October 2021
            (1_667_113_199, -5), (1_667_113_200, -6),  // 30 October 2022, the last change
            (1_689_422_400, -6), (1_772_474_405, -6), (4_102_444_800, -6),  // 2023, 2026, 2100
        ] as [(Int64, Int)])
    func mexicoCity(seconds: Int64, hours: Int) {
        #expect(TimeZoneRule.mexicoCity().offset(at: seconds) == hours * 3600)
    }

    @Test("without the file the offset is six hours, which is right since October 2022")
    func missingFile() {
        let rule = TimeZoneRule.mexicoCity(zoneDirectory: "/nonexistent")
        #expect(rule == TimeZoneRule(fixedOffset: -6 * 3600))
        #expect(rule.offset(at: 1_626_350_400) == -6 * 3600)
    }

    @Test("the TZ variable of the process does not matter")
    func independentOfTZ() async {
        // In a process of its own: the environment belongs to all tests together.
        await #expect(processExitsWith: .success) {
            for zone in ["Asia/Tokyo", "America/Tijuana", "UTC", "nonsense"] {
                setenv("TZ", zone, 1)
                tzset()
                let time = TimeZoneRule.mexicoCity().civilTime(atMilliseconds: PaymentBed.noon)
                guard time.text == "2026-03-02 12:00:05" else { exit(1) }
            }
        }
    }

    @Test("times before 1970 and parts of seconds go to the second that is under way")
    func milliseconds() {
        let rule = TimeZoneRule(fixedOffset: 0)
        #expect(rule.civilTime(atMilliseconds: 999).text == "1970-01-01 00:00:00")
        #expect(rule.civilTime(atMilliseconds: -1).text == "1969-12-31 23:59:59")
        #expect(rule.civilTime(atMilliseconds: -1000).text == "1969-12-31 23:59:59")
        #expect(rule.civilTime(atMilliseconds: -1001).text == "1969-12-31 23:59:58")
    }

    @Test("what is no zone file is refused")
    func notAFile() throws {
        let bytes = try Self.read()
        #expect(TimeZoneRule(zoneFile: bytes) != nil)
        #expect(TimeZoneRule(zoneFile: []) == nil)
        #expect(TimeZoneRule(zoneFile: Array("TZif".utf8)) == nil)
        #expect(TimeZoneRule(zoneFile: Array("TZif2".utf8) + [UInt8](repeating: 0, count: 200)) == nil)
        var wrong = bytes
        wrong[0] = UInt8(ascii: "X")
        #expect(TimeZoneRule(zoneFile: wrong) == nil)
    }

    @Test("no piece of a zone file, and no damage to one, is a trap")
    func hostile() throws {
        let whole = try Self.read()
        for count in 0..<whole.count { _ = TimeZoneRule(zoneFile: Array(whole.prefix(count))) }
        for seed in UInt64(0)..<10_000 {
            var numbers = SeededNumbers(seed: seed)
            var bytes = seed % 2 == 0 ? whole : numbers.bytes(Int(numbers.next() % 400))
            if seed % 4 == 1 { bytes = Array("TZif2".utf8) + bytes }
            for _ in 0..<4 where !bytes.isEmpty {
                let place = seed % 3 == 0 ? numbers.next() % UInt64(min(bytes.count, 44)) : numbers.next()
                bytes[Int(place % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: numbers.next())
            }
            guard let rule = TimeZoneRule(zoneFile: bytes) else { continue }
            for now in [Int64(0), PaymentBed.noon, -PaymentBed.noon] { _ = rule.civilTime(atMilliseconds: now) }
        }
    }
}

extension SeededNumbers {
    fileprivate mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
