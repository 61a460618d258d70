import Foundation
import Testing

@testable import Gateways

/// Trace numbers on disk.
@Suite struct TraceFileTests {
    private let path = NSTemporaryDirectory() + "trace-\(UUID().uuidString)"

    private func clean() {
        for name in ["", ".lock", ".new"] { try? FileManager.default.removeItem(atPath: path + name) }
    }

    private func take(
        _ file: inout TraceFile, _ attempt: String?, _ kind: TraceRecord.Kind = .sale, day: Int = 20_000
    ) throws -> (record: TraceRecord, isNew: Bool) {
        let attempt = attempt.flatMap(AttemptID.init)
        return try file.take(attempt, kind, day: day) { stan in
            TraceRecord(
                stan: stan, kind: kind, attempt: attempt, messageType: "0200", transmission: "1130102030",
                local: "1130042030", retrievalReference: "633410" + TraceRecord.padded(stan, 6), minorUnits: 123_45,
                currency: 484, day: day)
        }
    }

    @Test("numbers count up through restarts, and an attempt keeps its own")
    func restarts() throws {
        defer { clean() }
        var first = TraceFile(path: path, flushesLines: false)
        #expect(try take(&first, "a").record.stan == 1)
        #expect(try take(&first, "b").record.stan == 2)
        first.close()
        var second = TraceFile(path: path, flushesLines: false)
        #expect(try take(&second, "c").record.stan == 3)
        let again = try take(&second, "a")
        #expect(again.record.stan == 1 && !again.isNew)
        // Another message of the same attempt has its own.
        #expect(try take(&second, "a", .reversal).record.stan == 4)
        #expect(try second.record(of: #require(AttemptID("b")), .sale)?.retrievalReference == "633410000002")
        #expect(try second.record(of: #require(AttemptID("b")), .refund) == nil)
        second.close()
    }

    @Test("two processes that share the file never get one number twice")
    func shared() throws {
        defer { clean() }
        var (one, other) = (TraceFile(path: path, flushesLines: false), TraceFile(path: path, flushesLines: false))
        var numbers: [Int] = []
        for turn in 0..<50 {
            numbers.append(try take(&one, "one-\(turn)").record.stan)
            numbers.append(try take(&other, nil, .other).record.stan)
        }
        #expect(numbers == Array(1...100))
        one.close()
        other.close()
    }

    @Test("a line without its end, as a crash leaves it, is as if it had never been; other damage is refused")
    func damage() throws {
        defer { clean() }
        var file = TraceFile(path: path, flushesLines: false)
        _ = try take(&file, "a")
        file.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try (whole + whole.prefix(30)).write(to: URL(fileURLWithPath: path))
        var torn = TraceFile(path: path, flushesLines: false)
        #expect(try take(&torn, "b").record.stan == 2)
        torn.close()
        try (Data("nonsense\n".utf8) + whole).write(to: URL(fileURLWithPath: path))
        var damaged = TraceFile(path: path, flushesLines: false)
        #expect(throws: TraceFile.Failure.self) { _ = try take(&damaged, "c") }
        damaged.close()
    }

    @Test("after a boot, numbers go on behind all that may have been given out before it")
    func powerCut() throws {
        defer { clean() }
        var file = TraceFile(path: path, flushesLines: false)
        for number in 1...3 { #expect(try take(&file, "a\(number)").record.stan == number) }
        file.close()
        // What the power cut leaves: the reservation, one line, and a line of nothing.
        let lines = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A)
        try (lines[0] + [0x0A] + Data(count: 60) + [0x0A]).write(to: URL(fileURLWithPath: path))
        let reserved = try String(contentsOfFile: path + ".lock", encoding: .utf8)
        let boot = try #require(reserved.split(separator: " ").first)
        let other = reserved.replacing(boot, with: String(repeating: "0", count: boot.utf8.count))
        try Data(other.utf8).write(to: URL(fileURLWithPath: path + ".lock"))
        var later = TraceFile(path: path, flushesLines: false)
        #expect(try take(&later, "a1").record.stan == 1)
        #expect(try take(&later, "b").record.stan == 1_001)
        later.close()
        // A reservation whose maker died before its first use: the next process begins there.
        try (lines[0] + [0x0A]).write(to: URL(fileURLWithPath: path))
        var last = TraceFile(path: path, flushesLines: false)
        #expect(try take(&last, "c").record.stan == 1_001)
        #expect(try take(&last, "d").record.stan == 1_002)
        last.close()
    }

    @Test("a reservation is renewed when it is used up, without a gap")
    func reservations() throws {
        defer { clean() }
        var file = TraceFile(path: path, flushesLines: false)
        for number in 1...2_500 { #expect(try take(&file, nil, .other).record.stan == number) }
        file.close()
    }

    @Test("after 999999 comes 1, on another day; on one day no number comes twice")
    func wrap() throws {
        defer { clean() }
        let last = TraceRecord(
            stan: 999_999, kind: .other, attempt: nil, messageType: "0800", transmission: "1130102030",
            local: "1130102030", retrievalReference: "633410999999", minorUnits: 0, currency: 0, day: 20_000)
        try Data((last.line + "\n").utf8).write(to: URL(fileURLWithPath: path))
        var file = TraceFile(path: path, flushesLines: false)
        #expect(try take(&file, "a", day: 20_001).record.stan == 1)
        file.close()
        let lines = String(repeating: last.line + "\n", count: 999_999)
        try Data(lines.utf8).write(to: URL(fileURLWithPath: path))
        var full = TraceFile(path: path, flushesLines: false)
        #expect(throws: TraceFile.Failure.self) { _ = try take(&full, "b", day: 20_000) }
        #expect(try take(&full, "b", day: 20_001).record.stan == 1)
        full.close()
    }

    @Test("old lines are dropped when the file has grown, the counter and younger lines stay")
    func compaction() throws {
        defer { clean() }
        var file = TraceFile(path: path, flushesLines: true, compactionSize: 1_000)
        _ = try take(&file, "told-late", .advice, day: 19_700)
        for number in 0..<20 { _ = try take(&file, "old-\(number)", day: 20_000) }
        _ = try take(&file, "young", day: 20_005)
        let before = try Data(contentsOf: URL(fileURLWithPath: path)).count
        #expect(try take(&file, "new", day: 20_012).record.stan == 23)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count < before / 4)
        #expect(try file.record(of: #require(AttemptID("old-3")), .sale) == nil)
        #expect(try take(&file, "young").record.stan == 22)
        #expect(try file.record(of: #require(AttemptID("told-late")), .advice)?.stan == 1)
        file.close()
    }

    @Test("a place that cannot be written gives no number")
    func unwritable() {
        var file = TraceFile(path: "/nonexistent/trace", flushesLines: true)
        #expect(throws: TraceFile.Failure.self) { _ = try take(&file, "a") }
    }

    @Test("no card number is in a line")
    func noCardData() throws {
        defer { clean() }
        var file = TraceFile(path: path, flushesLines: false)
        let record = try take(&file, "a").record
        #expect(record.line == "20000 000001 sale a 0200 1130102030 1130042030 633410000001 12345 484")
        #expect(TraceRecord(record.line) == record)
        for wrong in ["", record.line + " x", "x" + record.line, record.line.replacing("sale", with: "gift")] {
            #expect(TraceRecord(wrong) == nil)
        }
        file.close()
    }
}
