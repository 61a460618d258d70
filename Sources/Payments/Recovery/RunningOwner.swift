import Glibc

/// This run of the program, as the owner of the payments that it has begun. It holds the lock on a file named after it for
/// its life; when the program ends, by whatever means, others see that its payments are orphaned.
public final class RunningOwner: Sendable {
    /// Never used again.
    public let id: String
    let directory: RunningDirectory
    private let lock: LockFile

    private init(id: String, directory: RunningDirectory, lock: LockFile) {
        self.id = id
        self.directory = directory
        self.lock = lock
    }

    /// Takes a new id and its lock, and removes what ended programs have left behind.
    ///
    /// - Parameter dataDirectory: where the ledger is; it must exist.
    /// - Throws: `RunningOwnerError`.
    public static func begin(in dataDirectory: String) throws(RunningOwnerError) -> RunningOwner {
        let directory = RunningDirectory(dataDirectory: dataDirectory)
        try directory.make()
        directory.sweep()
        while true {
            let id = TransactionID.make(atMilliseconds: 0, random: SystemRandomSource())
            switch LockFile.take(directory.file(of: id)) {
            case .taken(let lock): return RunningOwner(id: id, directory: directory, lock: lock)
            case .held: continue
            case .failed(let number): throw RunningOwnerError(directory.path, number)
            }
        }
    }

    /// Gives the lock back and removes the file. Call it when no payment of this run is under way any more.
    public func end() {
        lock.release()
    }
}

/// The program cannot make itself known to others, so it must not take payments.
public struct RunningOwnerError: Error, Sendable, Hashable {
    /// What happened and what to do.
    public let sentence: String

    init(_ path: String, _ number: Int32) {
        let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        sentence =
            "The ledger cannot be used: its directory '\(path)' cannot be written (\(reason)). Give the user that runs "
            + "this program write permission to the data directory, free some space, or name another one."
    }
}
