import CSQLite

/// Watches how long the write-ahead log grows, in place of SQLite's own way, which shortens it within a commit while the
/// caller waits.
final class WriteAheadLog {
    /// SQLite's own limit, in pages.
    private static let longest: Int32 = 1_000

    /// Written by SQLite in each commit of the connection, on its thread.
    private let pages: UnsafeMutablePointer<Int32>

    init() {
        pages = .allocate(capacity: 1)
        pages.initialize(to: 0)
    }

    deinit {
        pages.deallocate()
    }

    /// `self` must live as long as the connection can commit.
    func watch(_ connection: OpaquePointer) {
        sqlite3_wal_hook(
            connection,
            { context, _, _, pages in
                context?.assumingMemoryBound(to: Int32.self).pointee = pages
                return SQLITE_OK
            }, pages)
    }

    /// Whether shortening it would do something.
    var isLong: Bool { pages.pointee >= Self.longest }

    func shorten(_ connection: OpaquePointer) {
        guard isLong else { return }
        pages.pointee = 0
        sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
}
