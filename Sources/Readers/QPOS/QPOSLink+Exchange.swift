import ReaderWire
import Synchronization
import Transport

/// The exchange rule of the vendor's host code: 23, 41, 42, 43 and 52 are answered by a query, 36 by NEXT PART; 24 and 88
/// are the end; everything else is a failure.
extension QPOSLink {
    /// How a command ended.
    enum Ending: Sendable {
        /// 24 or 88, with the data of all parts.
        case done(QPOSFrame)
        /// Any other last id.
        case failed(QPOSFrame)
        /// The reader stopped, because this side asked it to.
        case stopped(StopReason)
    }

    enum StopReason: Sendable, Hashable {
        case cancelled, deadline
    }

    /// A command that needs neither a card nor a person. A cancelled task and the deadline end it at once.
    func ask(
        _ command: QPOSCommand, timeout: UInt8, data: [UInt8] = [], operation: String, until deadline: Deadline
    ) async throws(ReaderError) -> Ending {
        var dialogue = try await begin(command, timeout, data, operation, until: deadline)
        do throws(ReaderError) {
            return try await follow(&dialogue, until: deadline) { _ in }
        } catch {
            markOutOfStep()
            throw error
        }
    }

    /// A command that waits for a card or a person, or runs a card. A cancelled task, and the deadline, ask the reader to
    /// stop (28); what it had decided before that stands.
    func transact(
        _ command: QPOSCommand, timeout: UInt8, data: [UInt8], operation: String, until deadline: Deadline,
        waiting: (QPOSStatus) -> Void = { _ in }
    ) async throws(ReaderError) -> Ending {
        var dialogue = try await begin(command, timeout, data, operation, until: deadline)
        do throws(ReaderError) {
            return try await follow(&dialogue, until: deadline, waiting)
        } catch {
            switch error.code {
            case .cancelled: return try await stop(dialogue, .cancelled, operation)
            case .silent where deadline.hasPassed(on: clock): return try await stop(dialogue, .deadline, operation)
            default:
                markOutOfStep()
                throw error
            }
        }
    }

    /// One command's frames, as far as they have come.
    struct Dialogue: Sendable {
        let operation: String
        var collector: QPOSReplyCollector
        /// What the reader was last asked with.
        var request: QPOSFrame
        /// When a query is due; nil while a frame is awaited.
        var queryAt: Deadline?
        /// Until when the awaited frame must have come.
        var patience: Deadline
        /// Requests that were repeated because one side saw a damaged frame.
        var repeats = 0
        var lateFrames = 0
        var lastStatus: QPOSStatus?

        static let maximumRepeats = 3
        static let maximumLateFrames = 100
    }

    private func begin(
        _ command: QPOSCommand, _ timeout: UInt8, _ data: [UInt8], _ operation: String, until deadline: Deadline
    ) async throws(ReaderError) -> Dialogue {
        if Task.isCancelled { throw ReaderError(.cancelled, during: operation) }
        if deadline.hasPassed(on: clock) { throw ReaderError(.silent, during: operation, detail: "no time is left") }
        if state.withLock({ $0.isOutOfStep }) { try await reset(operation) }
        if state.withLock({ $0.lastCommand == command }) {
            try await drain(operation, quiet: FrameStream.shortQuietTime)
        }
        let request = QPOSFrame(command, timeout: timeout, data: data)
        state.withLock { state in
            state.frames = []
            state.lastCommand = command
            state.isOpen = true
        }
        try await send(request, operation)
        // The reader has the time that it was given, and a little for the way.
        let own = Deadline.after(max(Self.answerTimeout, .seconds(Int(timeout)) + Self.stopTimeout), on: clock)
        return Dialogue(
            operation: operation, collector: QPOSReplyCollector(command: command), request: request, patience: own)
    }

    /// Until the last frame. Throws `.silent` at the deadline, and when a frame does not come that should.
    private func follow(
        _ dialogue: inout Dialogue, until deadline: Deadline, _ waiting: (QPOSStatus) -> Void
    ) async throws(ReaderError) -> Ending {
        for _ in 0..<FrameStream.maximumReads {
            let arrival = try await next(
                dialogue.operation, until: dialogue.queryAt ?? dialogue.patience, atMost: deadline)
            switch arrival {
            case .frame(let frame):
                if let ending = try await take(frame, &dialogue, waiting) { return ending }
            case .damaged(.ofState):
                try await askAgain(QPOSFrame(.query, timeout: Self.queryTimeout), &dialogue)
            case .damaged(.ofData):
                throw ReaderError(.linkFailed, during: dialogue.operation, detail: "a damaged frame")
            case .nothing:
                guard !deadline.hasPassed(on: clock), dialogue.queryAt != nil else {
                    throw ReaderError(.silent, during: dialogue.operation)
                }
                try await request(QPOSFrame(.query, timeout: Self.queryTimeout), &dialogue)
            }
            if Task.isCancelled { throw ReaderError(.cancelled, during: dialogue.operation) }
        }
        throw ReaderError(.protocolViolation, during: dialogue.operation, detail: "waiting frames without end")
    }

    private func take(
        _ frame: QPOSFrame, _ dialogue: inout Dialogue, _ waiting: (QPOSStatus) -> Void
    ) async throws(ReaderError) -> Ending? {
        switch dialogue.collector.take(frame) {
        case .query(let status):
            if status != dialogue.lastStatus { waiting(status) }
            dialogue.lastStatus = status
            dialogue.queryAt = .after(Self.queryInterval, on: clock)
        case .sendNextPart:
            // What has come unasked is a repetition.
            state.withLock { $0.frames = [] }
            try await request(QPOSFrame(.nextPart, timeout: Self.queryTimeout), &dialogue)
            dialogue.patience = .after(Self.answerTimeout, on: clock)
        case .done(let whole):
            state.withLock { $0.isOpen = false }
            return .done(whole)
        case .failed(let status) where status.rawValue == 0x27 && dialogue.repeats < Dialogue.maximumRepeats:
            // The reader saw a damaged frame: it has done nothing.
            try await askAgain(dialogue.request, &dialogue)
        case .failed:
            state.withLock { $0.isOpen = false }
            return .failed(frame)
        case .late:
            dialogue.lateFrames += 1
            guard dialogue.lateFrames <= Dialogue.maximumLateFrames else {
                throw ReaderError(
                    .protocolViolation, during: dialogue.operation, detail: "answers to other commands without end")
            }
        case .tooLong:
            throw ReaderError(
                .protocolViolation, during: dialogue.operation, detail: "an answer in parts without end")
        }
        return nil
    }

    private func request(_ frame: QPOSFrame, _ dialogue: inout Dialogue) async throws(ReaderError) {
        dialogue.request = frame
        dialogue.queryAt = nil
        dialogue.patience = .after(.seconds(Int(Self.queryTimeout)) + Self.stopTimeout, on: clock)
        try await send(frame, dialogue.operation)
    }

    private func askAgain(_ frame: QPOSFrame, _ dialogue: inout Dialogue) async throws(ReaderError) {
        dialogue.repeats += 1
        guard dialogue.repeats <= Dialogue.maximumRepeats else {
            throw ReaderError(.linkFailed, during: dialogue.operation, detail: "damaged frames again and again")
        }
        try await request(frame, &dialogue)
        dialogue.patience = .after(Self.answerTimeout, on: clock)
    }

    /// Asks the reader to end what it does, and awaits its last frame. Runs to its end even when the caller is cancelled.
    private func stop(
        _ dialogue: Dialogue, _ reason: StopReason, _ operation: String
    ) async throws(ReaderError) -> Ending {
        try await shielded { () throws(ReaderError) in
            do throws(ReaderError) {
                return try await self.sendStop(dialogue, reason)
            } catch {
                self.markOutOfStep()
                throw error
            }
        }
    }

    private func sendStop(_ stopped: Dialogue, _ reason: StopReason) async throws(ReaderError) -> Ending {
        var dialogue = stopped
        let deadline = Deadline.after(Self.stopTimeout, on: clock)
        try await send(QPOSFrame(.userCancel, timeout: 5), dialogue.operation)
        dialogue.queryAt = nil
        dialogue.patience = deadline
        switch try await follow(&dialogue, until: deadline, { _ in }) {
        case .failed(let frame) where frame.status == .userCancel || frame.status == .timeout:
            return .stopped(reason)
        case _ where reason == .deadline:
            // A frame may have been lost on the way, and with it a part of the answer: this one is not trusted.
            markOutOfStep()
            return .stopped(reason)
        case let ending:
            return ending
        }
    }
}
