public import StableCodes

extension LedgerError.Code {
    /// The stable names of the codes.
    public enum Kind: String, DocumentedCode {
        case openFailed, noLedger, notWritable, corrupt, diskFull, newerSchema, conflict, notFound, duplicate
        case limitExceeded, planned, busy, closed, invalid, sqlite

        /// Of the code; the error itself says more.
        public var sentence: String {
            switch self {
            case .openFailed: "The directory or the file cannot be used as a ledger."
            case .noLedger: "No payment has been made with this data directory."
            case .notWritable: "The ledger's file or directory cannot be written."
            case .corrupt: "The ledger's file is damaged."
            case .diskFull: "No room is left on the disk."
            case .newerSchema: "A newer version of ReaderKit has written the ledger."
            case .conflict: "The transaction is in a state that does not allow this."
            case .notFound: "No transaction has this id."
            case .duplicate: "The id or the identifier belongs to another transaction."
            case .limitExceeded: "The refund exceeds what is left to refund."
            case .planned: "The sale is to be taken back as a whole."
            case .busy: "Another program keeps the ledger locked."
            case .closed: "The ledger was closed by this program."
            case .invalid: "A value does not fit the ledger."
            case .sqlite: "The database reports another fault, by its name."
            }
        }

        public var whoActs: WhoActs {
            switch self {
            case .openFailed, .notWritable, .noLedger, .duplicate: .integrator
            case .corrupt, .diskFull, .newerSchema, .busy, .sqlite, .conflict, .notFound, .limitExceeded, .planned:
                .operator
            case .closed, .invalid: .developers
            }
        }

        public var nextStep: String {
            switch self {
            case .openFailed: "Check the data directory, its owner and its mode."
            case .noLedger: "Name the data directory that the payments were made with."
            case .notWritable: "Give the user that runs the program write permission to the data directory."
            case .corrupt: "Stop taking payments, keep the file for examination and restore the last backup."
            case .diskFull: "Free some space, then repeat the operation."
            case .newerSchema: "Install the newer version again."
            case .conflict: "Read the transaction again and decide by its state."
            case .notFound: "List the transactions to find its id."
            case .duplicate: "Use the stored answer of that transaction, or choose another identifier."
            case .limitExceeded: "Refund a smaller amount."
            case .planned: "Wait until that is done, then read the sale again."
            case .busy: "Wait until the other program has finished, then repeat the operation."
            case .closed: "Report it."
            case .invalid: "Report it."
            case .sqlite: "Look at the system's log for errors of the disk, then repeat the operation."
            }
        }
    }
}
