import Glibc

/// Gives out trace numbers, and remembers under which a message was sent, for its repeat and its reversal, however the
/// program ends. Processes may share the file; a lock beside it keeps them apart.
///
/// Numbers count up and start again at 1 after 999999. None is given out twice on one day, not even when a power cut takes
/// lines that were not on disk yet: see `TraceReservation`. Lines are kept for at least `daysKept` days, those of advices
/// for `adviceDaysKept`. Calls block for a flush at times; the gateway makes them on a thread of their own.
struct TraceFile {
    struct Failure: Error {
        let reason: String
    }

    static let daysKept = 10
    /// Of the advice of an offline approval, which may be repeated long after its first time.
    static let adviceDaysKept = 400
    /// Bytes at which lines that are no longer needed are dropped.
    private let compactionSize: Int
    private let path: String
    /// Each line is on disk before its number is used: for hosts that take no reversal without it.
    private let flushesLines: Bool
    private var descriptor: Int32 = -1
    /// Bytes of the file that are in `records`.
    private var replayed = 0
    private var last = 0
    private var records: [Key: TraceRecord] = [:]
    /// Numbers given out on the newest day that was seen.
    private var newestDay = 0
    private var usedOnNewestDay = 0

    private struct Key: Hashable {
        let attempt: AttemptID
        let kind: TraceRecord.Kind
    }

    private static let largestFile = 256 << 20

    init(path: String, flushesLines: Bool, compactionSize: Int = 16 << 20) {
        self.path = path
        self.flushesLines = flushesLines
        self.compactionSize = compactionSize
    }

    /// What is known of an attempt; nil when it was never sent from here.
    mutating func record(of attempt: AttemptID, _ kind: TraceRecord.Kind) throws(Failure) -> TraceRecord? {
        let lock = try lock()
        defer { close(lock) }
        try catchUp()
        return records[Key(attempt: attempt, kind: kind)]
    }

    /// The attempt's record if it has one, else a new one with the next number.
    /// - Parameter make: from a number and the present day, the record.
    mutating func take(
        _ attempt: AttemptID?, _ kind: TraceRecord.Kind, day: Int, _ make: (Int) -> TraceRecord
    ) throws(Failure) -> (record: TraceRecord, isNew: Bool) {
        let lock = try lock()
        defer { close(lock) }
        try catchUp()
        if let attempt, kind != .other, let known = records[Key(attempt: attempt, kind: kind)] { return (known, false) }
        if day == newestDay, usedOnNewestDay >= 999_999 { throw Failure(reason: "no trace number is left today") }
        if replayed > compactionSize { try compact(today: day) }
        let mustFlush = try reserve(in: lock)
        let record = make(last % 999_999 + 1)
        try append(record, flushing: mustFlush || flushesLines)
        return (record, true)
    }

    /// Makes sure that the next number is reserved. True when nothing can be reserved, and lines must be flushed instead.
    private mutating func reserve(in lock: Int32) throws(Failure) -> Bool {
        guard let boot = TraceReservation.presentBoot() else { return true }
        let present = TraceReservation(from: lock)
        if let present, present.boot == boot, present.allowsNext(after: last) { return false }
        if let present, present.boot != boot {
            // What it allowed may have been used by lines that a power cut took.
            last = present.until
        } else if let present, last != present.until {
            // It is not used up: whoever made it died before the first use.
            last = present.from
            return false
        }
        guard TraceReservation(boot: boot, after: last).write(to: lock) else {
            throw Failure(reason: "trace numbers cannot be reserved")
        }
        return false
    }

    mutating func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}

extension TraceFile {
    private func close(_ descriptor: Int32) {
        Glibc.close(descriptor)
    }

    private func lock() throws(Failure) -> Int32 {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw Failure(reason: "the trace file's lock cannot be opened") }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else {
                close(lock)
                throw Failure(reason: "the trace file cannot be locked")
            }
        }
        return lock
    }

    /// Replays what this or another process has added, in the file as it is called now.
    private mutating func catchUp() throws(Failure) {
        var (named, opened) = (stat(), stat())
        let isThere = stat(path, &named) == 0
        if descriptor < 0 || !isThere || fstat(descriptor, &opened) != 0 || opened.st_ino != named.st_ino {
            try reopen()
        }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard replayed <= size, size <= Self.largestFile else { throw Failure(reason: "the trace file is damaged") }
        var bytes = [UInt8](repeating: 0, count: size - replayed)
        guard bytes.isEmpty || pread(descriptor, &bytes, bytes.count, off_t(replayed)) == bytes.count else {
            throw Failure(reason: "the trace file cannot be read")
        }
        // A line without its end is what a process left that died while it wrote: its number was never used.
        let whole = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        // A power cut may leave whole lines of nothing at the end; damage before a good line is something else.
        var (good, position) = (0, 0)
        for line in bytes[..<whole].split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            let record = TraceRecord(String(decoding: line, as: UTF8.self))
            if record != nil, good < position { throw Failure(reason: "the trace file is damaged") }
            position += line.count + 1
            guard let record else { continue }
            good = position
            remember(record)
        }
        replayed += good
        if good < bytes.count { ftruncate(descriptor, off_t(replayed)) }
    }

    private mutating func reopen() throws(Failure) {
        close()
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Failure(reason: "the trace file cannot be opened") }
        (replayed, last, records, newestDay, usedOnNewestDay) = (0, 0, [:], 0, 0)
    }

    private mutating func remember(_ record: TraceRecord) {
        last = record.stan
        if record.day > newestDay { (newestDay, usedOnNewestDay) = (record.day, 0) }
        if record.day == newestDay { usedOnNewestDay += 1 }
        if let attempt = record.attempt, record.kind != .other {
            records[Key(attempt: attempt, kind: record.kind)] = record
        }
    }

    private mutating func append(_ record: TraceRecord, flushing: Bool) throws(Failure) {
        let bytes = Array((record.line + "\n").utf8)
        guard pwrite(descriptor, bytes, bytes.count, off_t(replayed)) == bytes.count,
            !flushing || fdatasync(descriptor) == 0
        else {
            ftruncate(descriptor, off_t(replayed))
            throw Failure(reason: "the trace file cannot be written")
        }
        replayed += bytes.count
        remember(record)
    }

    /// Writes the lines that are still needed to a new file and puts it in the old one's place.
    private mutating func compact(today: Int) throws(Failure) {
        var bytes = [UInt8](repeating: 0, count: replayed)
        guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count else {
            throw Failure(reason: "the trace file cannot be read")
        }
        let lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let kept = lines.enumerated().filter { index, line in
            // The last line holds the counter.
            guard index < lines.count - 1, let record = TraceRecord(line) else { return index == lines.count - 1 }
            return record.day > today - (record.kind == .advice ? Self.adviceDaysKept : Self.daysKept)
        }
        .map(\.element)
        guard kept.count < lines.count else { return }
        let content = Array((kept.joined(separator: "\n") + "\n").utf8)
        let fresh = path + ".new"
        let file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Failure(reason: "the trace file cannot be renewed") }
        let isWritten = write(file, content, content.count) == content.count && fdatasync(file) == 0
        close(file)
        guard isWritten, rename(fresh, path) == 0 else {
            unlink(fresh)
            throw Failure(reason: "the trace file cannot be renewed")
        }
        try catchUp()
    }
}
