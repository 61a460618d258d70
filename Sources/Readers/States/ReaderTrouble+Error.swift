import Transport

extension ReaderTrouble {
    /// - Parameters:
    ///   - isOpening: the operation was to open the reader: "not supported" is then said of the whole reader, and "busy" of
    ///     somebody else's hold on it.
    ///   - holder: who that is, if it is known.
    /// - Returns: nil when the error says nothing about the reader: it is the card's, the person's or the caller's.
    init?(_ error: ReaderError, isOpening: Bool, heldBy holder: String? = nil, at now: MonotonicInstant) {
        switch error.code {
        case .ambiguous, .cardNotInserted, .cardRemoved, .cardMute, .cardUnusable, .cancelled, .closed:
            return nil
        case .busy:
            guard isOpening else { return nil }
            self = .held(.held(by: holder))
        case .unsupported:
            guard isOpening else { return nil }
            self = .unusable(ReaderProblem(error))
        case .gone, .notFound:
            self = .lost(at: now)
        case .accessDenied, .silent, .protocolViolation, .linkFailed, .hardwareFault:
            self = .unusable(ReaderProblem(error))
        }
    }
}

extension ReaderProblem {
    /// An error in the words of a probe.
    init(_ error: ReaderError) {
        let code: Code =
            switch error.code {
            case .accessDenied: .accessDenied
            case .busy: .held
            case .silent: .silent
            case .unsupported: .unsupported
            default: .fault
            }
        self.init(code, message: error.description, fix: error.code.nextStep)
    }
}

extension ReaderFinding {
    /// What a probe has found out, with the problem that decided it.
    init(_ report: ReaderReport) {
        func problem(_ codes: Set<ReaderProblem.Code>) -> ReaderProblem {
            report.problems.last { codes.contains($0.code) } ?? report.problems.last
                ?? ReaderProblem(ReaderError(.unsupported, during: "looking at the reader"))
        }
        switch report.state {
        case .ready: self = .usable
        case .busy: self = .held(problem([.held, .kernelDriver, .modemManager]))
        case .denied: self = .unusable(problem([.accessDenied]))
        case .unsupported: self = .unusable(problem([.unsupported, .unknownDevice]))
        case .fault: self = .unusable(problem([.fault, .silent, .wrongSpeed]))
        }
    }
}
