extension ReaderState {
    /// Why a reader is as it is, for people and for programs.
    public struct Reason: Sendable, Hashable {
        /// Stable: `inUse`, `unplugged`, `lost`, or the code of a `ReaderProblem`.
        public let code: String
        public let message: String
        /// What to do about it; nil when there is nothing to do.
        public let fix: String?
    }

    /// Nil of a state that needs none.
    public var reason: Reason? {
        switch self {
        case .discovering, .ready: nil
        case .busy(.operation(let operation)):
            Reason(code: "inUse", message: "This program is using the reader: \(operation).", fix: nil)
        case .busy(.held(let problem)), .fault(let problem):
            Reason(code: problem.code.rawValue, message: problem.message, fix: problem.fix)
        case .reconnecting(_, let absence):
            Reason(code: absence.code, message: absence.sentence + ".", fix: Self.plugItIn)
        case .gone(let absence):
            Reason(code: absence.code, message: absence.sentence + ", and it has not come back.", fix: Self.plugItIn)
        }
    }

    private static let plugItIn = "Check the cable and the power; plug the reader in again."
}

extension ReaderAbsence {
    var code: String {
        switch self {
        case .unplugged: "unplugged"
        case .lost: "lost"
        }
    }

    /// Without its full stop.
    var sentence: String {
        switch self {
        case .unplugged: "The reader was unplugged"
        case .lost(let operation): "The connection to the reader was lost while \(operation)"
        }
    }
}
