import Transport

/// What happens to a reader.
enum ReaderStep: Sendable, Hashable {
    /// A look at it, without using it, came to this.
    case looked(ReaderFinding)
    /// This program begins an operation.
    case began(String)
    /// The operation ended: well, or in a way that says nothing about the reader (nil), or with what is wrong now.
    case ended(ReaderTrouble?)
    /// It is not plugged in any more.
    case left(at: MonotonicInstant)
    /// The grace period is over.
    case graceEnded
    /// It is plugged in again.
    case returned
}

/// What a look at a reader came to.
enum ReaderFinding: Sendable, Hashable {
    case usable
    case held(ReaderProblem)
    case unusable(ReaderProblem)
}

/// What the end of an operation says about the reader.
enum ReaderTrouble: Sendable, Hashable {
    case lost(at: MonotonicInstant)
    case held(ReaderProblem)
    case unusable(ReaderProblem)
}

/// A step that is no edge of the table.
struct IllegalReaderStep: Error, Hashable {
    let from: ReaderState.Name
    let step: ReaderStep
}

extension ReaderState {
    /// The state after a step. A step that this state does not have is refused.
    func after(_ step: ReaderStep) throws(IllegalReaderStep) -> ReaderState {
        switch (self, step) {
        case (.busy(.operation(let operation)), .ended(let trouble)):
            return Self.after(trouble, of: operation)
        // Who uses a reader does not look at it.
        case (.busy(.operation), .looked), (.busy(.operation), .began):
            throw IllegalReaderStep(from: name, step: step)
        case (.discovering, .looked(let finding)), (.ready, .looked(let finding)), (.busy, .looked(let finding)),
            (.fault, .looked(let finding)):
            switch finding {
            case .usable: return .ready
            case .held(let problem): return .busy(.held(problem))
            case .unusable(let problem): return .fault(problem)
            }
        case (.discovering, .began(let operation)), (.ready, .began(let operation)), (.busy, .began(let operation)),
            (.fault, .began(let operation)):
            return .busy(.operation(operation))
        case (.busy(.operation(let operation)), .left(let instant)):
            return .reconnecting(since: instant, .lost(during: operation))
        case (.discovering, .left(let instant)), (.ready, .left(let instant)), (.busy, .left(let instant)),
            (.fault, .left(let instant)):
            return .reconnecting(since: instant, .unplugged)
        case (.reconnecting(_, let absence), .graceEnded):
            return .gone(absence)
        case (.reconnecting, .returned), (.gone, .returned):
            return .discovering
        default:
            throw IllegalReaderStep(from: name, step: step)
        }
    }

    private static func after(_ trouble: ReaderTrouble?, of operation: String) -> ReaderState {
        switch trouble {
        case nil: .ready
        case .lost(let instant): .reconnecting(since: instant, .lost(during: operation))
        case .held(let problem): .busy(.held(problem))
        case .unusable(let problem): .fault(problem)
        }
    }
}
