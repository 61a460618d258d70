import Glibc

/// The simulated host's book, shared with other processes through a file when there is one: a refund or a query that comes
/// from another process finds the sale, as it would at a real host.
///
/// The file only grows. Whoever reads or writes holds its lock and first replays what others have added.
struct StoredBook {
    private(set) var book = SimulatorBook()
    /// Bytes of the file that are in `book`.
    private var replayed = 0

    /// More than the lines of a full book.
    private static let largestFile = 64 << 20

    /// Answers a question to the book as it stands now.
    ///
    /// - Parameter file: locked; nil when the book is in memory only.
    /// - Throws: `GatewayError.notSent` when the file cannot be used.
    mutating func look<Answer>(
        in file: BookFile?, _ question: (SimulatorBook) -> Answer
    ) throws(GatewayError) -> Answer {
        if let file { try catchUp(file.descriptor) }
        return question(book)
    }

    /// Books a line: on disk first, then here.
    ///
    /// - Parameter file: locked; nil when the book is in memory only.
    /// - Throws: `GatewayError.notSent` when the file cannot be used; nothing is booked then.
    mutating func enter<Answer>(
        _ line: BookLine, in file: BookFile?, _ change: (inout SimulatorBook) -> Answer
    ) throws(GatewayError) -> Answer {
        if let file = file?.descriptor {
            try catchUp(file)
            let bytes = Array((line.text + "\n").utf8)
            guard pwrite(file, bytes, bytes.count, off_t(replayed)) == bytes.count else {
                ftruncate(file, off_t(replayed))
                throw .notSent(reason: "the simulated host's book cannot be written")
            }
            replayed += bytes.count
        }
        return change(&book)
    }

    private mutating func catchUp(_ file: Int32) throws(GatewayError) {
        let size = Int(lseek(file, 0, SEEK_END))
        guard replayed <= size, size <= Self.largestFile else { throw Self.damaged }
        var bytes = [UInt8](repeating: 0, count: size - replayed)
        guard bytes.isEmpty || pread(file, &bytes, bytes.count, off_t(replayed)) == bytes.count else {
            throw Self.damaged
        }
        // A line without its end is what a process left that died while it wrote: it was never booked.
        let whole = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        for line in bytes[..<whole].split(separator: 0x0A) {
            guard let entry = BookLine(String(decoding: line, as: UTF8.self)) else { throw Self.damaged }
            replay(entry)
        }
        replayed += whole
        if whole < bytes.count { ftruncate(file, off_t(replayed)) }
    }

    private mutating func replay(_ line: BookLine) {
        switch line {
        case .reversed(let request):
            _ = book.reverse(request)
        case .settled(let request):
            _ = book.settle(request)
        case .answered(let attempt, let record) where record.kind == .refund:
            _ = book.addRefund(record, for: attempt)
        case .answered(let attempt, let record):
            let decision = IssuerDecision(
                attempt: attempt, responseCode: record.response.responseCode,
                reason: record.behaviour == .approve ? .approved : .testAmount, scheme: nil)
            _ = book.add(record, for: attempt, decision)
        }
    }

    private static let damaged = GatewayError.notSent(reason: "the simulated host's book is damaged")
}
