import Ledger

/// Measures a ledger for `docs/performance.md`; `scripts/bench-ledger.sh` runs it.
@main
enum LedgerBench {
    /// Until the log has its length (50 sales) and is written over: while a file grows, each flush writes its length too.
    private static let warmSales = 100

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let command = arguments.first, let directory = arguments.dropFirst().first else { return usage() }
        let count = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1_000
        // As the payments of `readerctl`: on the threads that tasks share, not on the main one.
        try await Task.detached { try await measure(command, count, in: directory) }.value
    }

    private static func measure(_ command: String, _ count: Int, in directory: String) async throws {
        switch command {
        case "sale": try await oneAfterAnother(count, in: directory)
        case "bytes": try await bytes(in: directory)
        case "group": try await together(count, in: directory)
        case "open": try await opening(count, directory)
        case "lookup": try await lookUp(count, in: directory)
        case "export": try await export(directory)
        default: usage()
        }
    }

    private static func usage() {
        print("usage: ledgerbench sale|bytes|group|open|lookup|export DIRECTORY [COUNT]")
    }

    /// Nanoseconds of one sale at a time, its card and its host answering at once.
    private static func oneAfterAnother(_ count: Int, in directory: String) async throws {
        let ledger = try await Ledger.open(directory: directory)
        let prefix = "s\(try await ledger.countByState().values.reduce(0, +))"
        for number in 0..<warmSales { try await BenchSale(ledger, id: "\(prefix)-warm-\(number)").run() }
        var times = Times()
        for number in 0..<count {
            let sale = BenchSale(ledger, id: "\(prefix)-\(number)")
            try await times.measure { try await sale.run() }
        }
        await ledger.close()
        print(times.median, times.percentile(99))
    }

    /// How many bytes each commit of a sale adds to the write-ahead log, on average, separated by commas.
    private static func bytes(in directory: String) async throws {
        let ledger = try await Ledger.open(directory: directory)
        let log = directory + "/ledger.sqlite-wal"
        var sums = [Int](repeating: 0, count: BenchSale.commitCount)
        let sales = 15
        for number in 0..<sales {
            let sale = BenchSale(ledger, id: "b\(number)")
            for commit in sums.indices {
                let before = fileSize(log)
                try await sale.commit(commit)
                sums[commit] += fileSize(log) - before
            }
        }
        await ledger.close()
        print(sums.map { "\($0 / sales)" }.joined(separator: ","))
    }

    /// Sixty-four readers, each with one sale after another.
    private static func together(_ count: Int, in directory: String) async throws {
        let ledger = try await Ledger.open(directory: directory)
        let readers = 64
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for reader in 0..<readers {
                group.addTask {
                    for number in 0..<count { try await BenchSale(ledger, id: "g\(reader)-\(number)").run() }
                }
            }
            try await group.waitForAll()
        }
        let seconds = Double(nanoseconds(ContinuousClock.now - start)) / 1e9
        let activity = await ledger.activity
        let sales = readers * count
        let found = try await ledger.countByState()["approved"] ?? 0
        await ledger.close()
        print(
            "\(sales) sales, \(found) approved: \(Int(Double(sales) / seconds)) sales/s, \(activity.changes) changes,",
            "\(activity.commits) commits, \(activity.flushes) flushes")
    }

    /// Nanoseconds until an existing ledger is ready.
    private static func opening(_ count: Int, _ directory: String) async throws {
        var times = Times()
        for _ in 0..<count {
            var opened: Ledger?
            try await times.measure { opened = try await Ledger.open(directory: directory) }
            await opened?.close()
        }
        print(times.median)
    }

    /// Nanoseconds of a question by id and of one by identifier, of transactions all over the ledger.
    private static func lookUp(_ count: Int, in directory: String) async throws {
        let ledger = try await Ledger.open(directory: directory)
        let total = try await ledger.countByState().values.reduce(0, +)
        var byID = Times()
        var byIdentifier = Times()
        var random = SystemRandomNumberGenerator()
        for _ in 0..<count {
            let number = Int.random(in: 1...max(total, 1), using: &random)
            var record: TransactionRecord?
            try await byID.measure { record = try await ledger.transaction(BenchRow.id(number)) }
            let other = Int.random(in: 1...max(total, 1), using: &random)
            var records: [TransactionRecord] = []
            try await byIdentifier.measure { records = try await ledger.byIdentifier(BenchRow.identifier(other)) }
            guard record != nil, records.map(\.id) == [BenchRow.id(other)] else { return print("not found") }
        }
        await ledger.close()
        print(byID.median, byID.percentile(99), byIdentifier.median, byIdentifier.percentile(99))
    }

    /// Milliseconds of an export of everything, and the rows.
    private static func export(_ directory: String) async throws {
        let ledger = try await Ledger.openReadOnly(directory: directory)
        let start = ContinuousClock.now
        var rows = 0
        for try await _ in try await ledger.export() { rows += 1 }
        print(nanoseconds(ContinuousClock.now - start) / 1_000_000, rows)
        await ledger.close()
    }
}
