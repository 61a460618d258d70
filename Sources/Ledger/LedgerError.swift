/// Why the ledger did not do what it was asked. Nothing was written when it is thrown. It never carries card data.
/// Two errors are equal when their codes are.
public struct LedgerError: Error, Sendable {
    public enum Code: Hashable, Sendable {
        /// The directory or the file cannot be used as a ledger.
        case openFailed
        /// A read-only open found no ledger. Nothing has ever been written there.
        case noLedger
        /// The file or its directory cannot be written, or the ledger was opened for reading only.
        case notWritable
        /// The file is damaged. It is never repaired or replaced without a person.
        case corrupt
        /// No room on the disk (or a quota or size limit is reached).
        case diskFull
        /// A newer version of this product has written the file.
        case newerSchema
        /// The transaction is in another state than expected.
        case conflict(current: StateName)
        /// No transaction has this id.
        case notFound
        /// The id, the attempt or the identifier is already used by this transaction.
        case duplicate(existing: String)
        /// The refund and those counted already (minor units) exceed the limit.
        case limitExceeded(alreadyCounted: Int64)
        /// The sale is to be taken back as a whole.
        case planned
        /// Another process kept the ledger locked for the whole busy time-out.
        case busy
        /// `close()` was called.
        case closed
        /// A value is out of the range that its column accepts.
        case invalid
        /// Any other SQLite result, by its name, for example `SQLITE_IOERR_FSYNC`.
        case sqlite(String)

        /// The code without what it carries.
        public var kind: Kind {
            switch self {
            case .openFailed: .openFailed
            case .noLedger: .noLedger
            case .notWritable: .notWritable
            case .corrupt: .corrupt
            case .diskFull: .diskFull
            case .newerSchema: .newerSchema
            case .conflict: .conflict
            case .notFound: .notFound
            case .duplicate: .duplicate
            case .limitExceeded: .limitExceeded
            case .planned: .planned
            case .busy: .busy
            case .closed: .closed
            case .invalid: .invalid
            case .sqlite: .sqlite
            }
        }

        /// Stable; for logs and JSON.
        public var name: String { kind.rawValue }
    }

    public let code: Code
    /// What happened, as one sentence.
    public let sentence: String
    /// What to do about it, as one sentence.
    public let nextStep: String

    init(_ code: Code, _ sentence: String, nextStep: String) {
        self.code = code
        self.sentence = sentence
        self.nextStep = nextStep
    }
}

extension LedgerError: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension LedgerError: CustomStringConvertible {
    public var description: String { "\(sentence) \(nextStep)" }
}

extension LedgerError {
    static func corrupt(_ finding: String) -> Self {
        Self(
            .corrupt, "The ledger is damaged: \(finding).",
            nextStep: "Stop taking payments, keep the file for examination and restore the last backup.")
    }

    /// The payments are not where they were, and beginning anew over what is left would hide it.
    ///
    /// - Parameter obstacle: what to move away for a new beginning.
    static func emptied(_ finding: String, inTheWay obstacle: String) -> Self {
        Self(
            .corrupt, "The ledger is damaged: \(finding).",
            nextStep: "Stop taking payments and restore the last backup. To begin anew without those payments, move "
                + "'\(obstacle)' away.")
    }

    static func openFailed(_ finding: String, nextStep: String) -> Self {
        Self(.openFailed, "The ledger cannot be opened: \(finding).", nextStep: nextStep)
    }

    static func notWritable(_ finding: String) -> Self {
        Self(
            .notWritable, "The ledger cannot be written: \(finding).",
            nextStep:
                "Give the user that runs this program write permission to the data directory, or name another one.")
    }

    /// What would be written to it now is found by nobody.
    ///
    /// - Parameter use: what is impossible, "read" or "written".
    static func fileTakenAway(cannotBe use: String = "written") -> Self {
        Self(
            .notWritable, "The ledger cannot be \(use): its file was removed or replaced while this program used it.",
            nextStep:
                "Stop all programs that take payments, put the file back or restore the last backup, and start again.")
    }

    static func notFound(_ id: String) -> Self {
        Self(.notFound, "No transaction has the id '\(id)'.", nextStep: "List the transactions to find its id.")
    }

    static func conflict(_ id: String, current: StateName) -> Self {
        Self(
            .conflict(current: current),
            "The transaction '\(id)' is in the state '\(current)', which does not allow this.",
            nextStep: "Read the transaction again and decide by its state.")
    }

    static func duplicate(_ what: String, existing: String) -> Self {
        Self(
            .duplicate(existing: existing), "This \(what) is already used by the transaction '\(existing)'.",
            nextStep: "Use the stored answer of that transaction, or choose another \(what).")
    }

    static func limitExceeded(alreadyCounted: Int64) -> Self {
        Self(
            .limitExceeded(alreadyCounted: alreadyCounted), "The refund exceeds what is left to refund.",
            nextStep: "Refund a smaller amount.")
    }

    static func planned(_ id: String) -> Self {
        Self(
            .planned, "The sale '\(id)' is to be taken back as a whole.",
            nextStep: "Wait until that is done, then read the sale again.")
    }

    static func noLedger(_ directory: String) -> Self {
        Self(
            .noLedger, "There is no ledger in '\(directory)' yet.",
            nextStep: "Name the data directory that the payments were made with, or make a payment first.")
    }

    static let closed = Self(.closed, "The ledger is closed.", nextStep: "Open it again.")
}
