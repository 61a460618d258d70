public import Transport

/// How a reader is, for whoever watches it: one place that says it, with the reason.
///
/// A state changes only by `after(_:)`, which refuses what is not an edge of the table `Name.successors`.
public enum ReaderState: Sendable, Hashable {
    /// It is plugged in, and nobody has looked at it yet.
    case discovering
    /// It can be used.
    case ready
    case busy(ReaderUse)
    /// It has left, since this instant, and keeps its place for as long as the grace period lasts.
    case reconnecting(since: MonotonicInstant, ReaderAbsence)
    /// It has left and has not come back within the grace period.
    case gone(ReaderAbsence)
    /// It is there and cannot be used, for this reason; with what fixes it.
    case fault(ReaderProblem)

    /// A state without its reason. The raw value is stable, and is what `readerctl probe --watch` prints.
    public enum Name: String, Sendable, Hashable, CaseIterable {
        case discovering, ready, busy, fault, reconnecting, gone

        /// Where a reader can go from here.
        public var successors: Set<Name> {
            switch self {
            case .discovering: [.ready, .busy, .fault, .reconnecting]
            case .ready: [.busy, .fault, .reconnecting]
            // From one holder to another, or to a use of our own.
            case .busy: [.ready, .busy, .fault, .reconnecting]
            case .fault: [.ready, .busy, .fault, .reconnecting]
            case .reconnecting: [.discovering, .gone]
            case .gone: [.discovering]
            }
        }
    }

    public var name: Name {
        switch self {
        case .discovering: .discovering
        case .ready: .ready
        case .busy: .busy
        case .reconnecting: .reconnecting
        case .gone: .gone
        case .fault: .fault
        }
    }

    /// True while the reader is plugged in.
    public var isPresent: Bool {
        switch self {
        case .discovering, .ready, .busy, .fault: true
        case .reconnecting, .gone: false
        }
    }
}

/// Who uses a reader that is busy.
public enum ReaderUse: Sendable, Hashable {
    /// This program; the operation in words, such as "waiting for a card".
    case operation(String)
    /// Another program, or a driver of the kernel: who, and how to end it.
    case held(ReaderProblem)
}

/// How a reader left.
public enum ReaderAbsence: Sendable, Hashable {
    /// Plugged out, or without power, while nothing was done with it.
    case unplugged
    /// It left while this program used it.
    case lost(during: String)
}
