/// Transactions one after another, as they were at one moment, however many there are: only a page of them is in memory.
/// Payments go on meanwhile. The write-ahead log grows until the iteration ends, so do not leave one half done.
///
/// Each iteration has a connection and a thread of its own, and ends them when it ends or is dropped.
public struct LedgerExport: AsyncSequence, Sendable {
    public typealias Element = TransactionRecord
    public typealias Failure = LedgerError

    /// The order in which the transactions were begun.
    public enum Order: Hashable, Sendable {
        case oldestFirst, newestFirst
    }

    let directory: LedgerDirectory
    let busyTimeout: Int32
    let condition: Condition
    let order: Order

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(export: self)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let export: LedgerExport
        private var reader: LedgerReader?
        /// Reversed, so that the next one is the last.
        private var page: [TransactionRecord] = []
        private var position: Int64?
        private var isAtEnd = false

        private static let pageSize = 256

        fileprivate init(export: LedgerExport) {
            self.export = export
        }

        /// - Throws: `corrupt`, `busy`, `notWritable`, `openFailed`, `sqlite`. There is nothing more after it.
        public mutating func next() async throws(LedgerError) -> TransactionRecord? {
            try await next(isolation: nil)
        }

        /// - Throws: as `next()`.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(LedgerError) -> TransactionRecord? {
            if page.isEmpty, !isAtEnd {
                do throws(LedgerError) {
                    try await fetch()
                } catch {
                    await end()
                    throw error
                }
                if page.isEmpty { await end() }
            }
            return page.popLast()
        }

        private mutating func fetch() async throws(LedgerError) {
            let reader: LedgerReader
            if let open = self.reader {
                reader = open
            } else {
                reader = try LedgerReader(export.directory, busyTimeout: export.busyTimeout)
                self.reader = reader
                try await reader.answer { (connection) throws(LedgerError) in try connection.run("BEGIN") }
            }
            let (condition, order) = (export.condition, export.order)
            let start = position ?? (order == .oldestFirst ? Int64.min : .max)
            let (comparison, direction) = order == .oldestFirst ? (">", "ASC") : ("<", "DESC")
            let rows = try await reader.answer { (connection) throws(LedgerError) in
                try connection.rows(
                    """
                    SELECT \(TransactionColumn.list), rowid FROM transactions
                    WHERE rowid \(comparison) ? AND \(condition.sql) ORDER BY rowid \(direction) LIMIT ?
                    """,
                    [.integer(start)] + condition.values + [.integer(Int64(Self.pageSize))]
                ) { (row) throws(LedgerError) in
                    (record: try TransactionRecord(row: row), rowID: row.integer(TransactionColumn.count))
                }
            }
            position = rows.last?.rowID ?? position
            page = rows.reversed().map(\.record)
        }

        private mutating func end() async {
            isAtEnd = true
            page = []
            await reader?.close()
            reader = nil
        }
    }
}
