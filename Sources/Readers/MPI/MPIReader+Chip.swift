public import EMV
import ReaderWire
import Synchronization
public import Transport

extension MPIReader {
    public func choose(_ index: Int, until deadline: Deadline) async throws(ReaderError) -> ReaderStop {
        let operation = "choosing an application"
        return try await gate.run(operation) { () throws(ReaderError) in
            let before = takePhase()
            guard case .choosing(let count) = before, (0..<count).contains(index) else {
                throw ReaderError(.unsupported, during: operation, detail: "no such application was offered")
            }
            return try await leavingNothingBehind { () throws(ReaderError) in
                let ending = try await link.transact(
                    MPIRequests.choose(index), operation: operation, until: deadline)
                return try chipStop(ending, isFinal: false, operation)
            }
        }
    }

    /// A cancel changes nothing here: the issuer has spoken, and the card's last word is awaited. A stripe is not told: the
    /// issuer's word is the last.
    public func complete(_ answer: HostAnswer, until deadline: Deadline) async throws(ReaderError) -> ReaderStop {
        let operation = "completing a payment"
        return try await gate.run(operation) { () throws(ReaderError) in
            switch takePhase() {
            case .idle, .choosing:
                throw ReaderError(.unsupported, during: operation, detail: "no card waits for an answer")
            case .stripe(let reading):
                return answer.isApproval ? .approved(reading) : .declined(reading)
            case .online(let reading):
                return try await leavingNothingBehind { () throws(ReaderError) in
                    guard let command = MPIRequests.proceed(answer) else {
                        throw ReaderError(.unsupported, during: operation, detail: "the issuer's scripts are too long")
                    }
                    let ending = try await shielded { () throws(ReaderError) in
                        try await self.link.transact(command, operation: operation, until: deadline)
                    }
                    return try chipStop(
                        ending, reading.entry, known: reading.account, isFinal: true, operation)
                }
            }
        }
    }

    private func takePhase() -> Phase {
        phase.withLock { phase in
            defer { phase = .idle }
            return phase
        }
    }

    /// What the end of DE D1 or DE D2 means.
    /// - Parameters:
    ///   - known: the account as it was told before.
    ///   - isFinal: the issuer has spoken.
    func chipStop(
        _ ending: MPILink.Ending, _ entry: CardReading.Entry = .contactChip, known: CardAccount? = nil, isFinal: Bool,
        _ operation: String
    ) throws(ReaderError) -> ReaderStop {
        switch ending {
        case .stopped(.deadline): throw ReaderError(.silent, during: operation)
        case .stopped: throw ReaderError(.cancelled, during: operation)
        case .answered(let answer):
            if let decision = MPIDecision(answer) {
                return try stop(decision, entry, known: known, isFinal: isFinal, operation)
            }
            let failure = MPIFailure(statusWord: answer.statusWord, operation: operation)
            guard let reason = failure.ending else { throw failure.readerError }
            return .ended(reason)
        }
    }

    /// The template says what the reader decided; the cryptogram must say the same.
    func stop(
        _ decision: MPIDecision, _ entry: CardReading.Entry, known: CardAccount? = nil, isFinal: Bool,
        _ operation: String
    ) throws(ReaderError) -> ReaderStop {
        switch decision {
        case .choice(let labels):
            guard !isFinal, !labels.isEmpty else {
                throw ReaderError(.protocolViolation, during: operation, detail: "a choice of nothing")
            }
            // A choice decides nothing yet: a cancel that came meanwhile counts.
            if Task.isCancelled {
                throw ReaderError(.cancelled, during: operation, detail: "before an application was chosen")
            }
            phase.withLock { $0 = .choosing(labels.count) }
            return .applicationChoice(labels)
        case .online(let told):
            guard !isFinal, told.cryptogramType == 0x80 else {
                throw ReaderError(
                    .protocolViolation, during: operation, detail: "it asks for the issuer without reason")
            }
            let reading = told.reading(entry)
            phase.withLock { $0 = .online(reading) }
            return .online(reading)
        case .approved(let told):
            let reading = told.reading(entry, known: known)
            switch told.cryptogramType {
            case 0x40: return .approved(reading)
            case 0x00: return .declined(reading)
            // A tapped card has given its only cryptogram before the issuer spoke.
            case 0x80 where isFinal && entry == .contactlessChip: return .approved(reading)
            default:
                throw ReaderError(
                    .protocolViolation, during: operation, detail: "approved without a transaction certificate")
            }
        case .declined(let told):
            return .declined(told.reading(entry, known: known))
        }
    }

    /// After an error nothing of the payment is left in the reader, if the reader can still be reached.
    func leavingNothingBehind<Value>(
        _ body: () async throws(ReaderError) -> Value
    ) async throws(ReaderError) -> Value {
        do throws(ReaderError) {
            return try await body()
        } catch {
            phase.withLock { $0 = .idle }
            let isStopped = error.code == .cancelled || error.code == .cardNotInserted
            let isClean = isStopped && error.detail == nil && !link.isOutOfStep
            if error.code != .gone, error.code != .closed, !isClean {
                _ = try? await link.stop(.change, "ending a payment")
            }
            throw error
        }
    }

    /// By the reader's own messages. True at once for a reader that tells nothing of its slot.
    public func waitForCardRemoval(until deadline: Deadline) async throws(ReaderError) -> Bool {
        let operation = "waiting for the card's removal"
        return try await gate.run(operation) { () throws(ReaderError) in
            link.forgetEvents()
            let status: MPIResponse
            do throws(ReaderError) {
                status = try await link.ask(.cardStatus(isOn: true), operation: operation, until: deadline)
            } catch {
                if error.code == .silent, deadline.hasPassed(on: link.clock) { return false }
                throw error
            }
            guard status.isSuccess else { return true }
            if let told = MPICardStatus(status) {
                guard told.isCardPresent else { return true }
            }
            // Until the first message nobody knows whether the reader tells anything.
            var limit = min(deadline, .after(MPILink.stopTimeout, on: link.clock))
            for _ in 0..<FrameStream.maximumReads {
                switch try await link.next(operation, until: limit) {
                case .event(let event):
                    guard let told = MPICardStatus(event) else { continue }
                    guard told.isCardPresent else { return true }
                    limit = deadline
                case .nothing: return limit < deadline
                case .answer, .damaged: continue
                }
            }
            return false
        }
    }
}
