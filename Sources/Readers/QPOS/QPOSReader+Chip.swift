import BERTLV
public import EMV
import ReaderWire
import Synchronization
public import Transport

extension QPOSReader {
    /// Tags of the vendor's programming guide: key serial number of the online message, masked number.
    static let vendorTags = ToldCard.VendorTags(keySerialNumber: 0xC0, maskedNumber: 0xC4)

    public func choose(_ index: Int, until deadline: Deadline) async throws(ReaderError) -> ReaderStop {
        let operation = "choosing an application"
        return try await gate.run(operation) { () throws(ReaderError) in
            let before = phase.withLock { phase in
                defer { phase = .idle }
                return phase
            }
            guard case .choosing(let count) = before, (0..<count).contains(index) else {
                throw ReaderError(.unsupported, during: operation, detail: "no such application was offered")
            }
            return try await leavingNothingBehind { () throws(ReaderError) in
                let ending = try await link.transact(
                    .selectApplication, timeout: 30, data: [UInt8(truncatingIfNeeded: index)], operation: operation,
                    until: deadline)
                switch try await chipOutcome(ending, operation) {
                case .stop(let stop): return stop
                case .chipFailed: return .ended(.cardFault)
                }
            }
        }
    }

    /// A cancel changes nothing here: the issuer has spoken, and the card's last word is awaited. A card that was swiped or
    /// tapped is not told: the issuer's word is the last.
    public func complete(_ answer: HostAnswer, until deadline: Deadline) async throws(ReaderError) -> ReaderStop {
        let operation = "completing a payment"
        return try await gate.run(operation) { () throws(ReaderError) in
            let before = phase.withLock { phase in
                defer { phase = .idle }
                return phase
            }
            switch before {
            case .idle, .choosing:
                throw ReaderError(.unsupported, during: operation, detail: "no card waits for an answer")
            case .cardHasGone(let reading):
                return answer.isApproval ? .approved(reading) : .declined(reading)
            case .online(let reading):
                return try await leavingNothingBehind { () throws(ReaderError) in
                    let ending = try await shielded { () throws(ReaderError) in
                        try await self.link.ask(
                            .onlineResult, timeout: 30, data: answer.objectsForReader, operation: operation,
                            until: deadline)
                    }
                    switch try await chipOutcome(ending, operation, known: reading.account) {
                    case .stop(.online), .stop(.applicationChoice):
                        throw ReaderError(
                            .protocolViolation, during: operation, detail: "it asks for the issuer once more")
                    case .stop(let stop): return stop
                    case .chipFailed: return .ended(.cardFault)
                    }
                }
            }
        }
    }

    enum ChipOutcome {
        case stop(ReaderStop)
        case chipFailed
    }

    /// What the last frame of 16-30, 16-31 or 16-40 means.
    /// - Parameter known: the account as it was told before.
    func chipOutcome(
        _ ending: QPOSLink.Ending, _ operation: String, known: CardAccount? = nil
    ) async throws(ReaderError) -> ChipOutcome {
        switch ending {
        case .stopped, .failed:
            if case .failed(let frame) = ending {
                switch QPOSCardTrouble(frame.status) {
                case .ended(let reason): return .stop(.ended(reason))
                case .chipFailed: return .chipFailed
                case nil: break
                }
            }
            throw failure(ending, operation)
        case .done(let frame):
            if frame.timeoutOrResult == QPOSApplicationChoice.result {
                return .stop(try choice(frame.data, operation))
            }
            guard frame.timeoutOrResult == 0, let result = QPOSEMVResult(parsing: frame.data) else {
                throw ReaderError(.protocolViolation, during: operation, detail: "an answer that is no EMV result")
            }
            guard result.isClear else {
                throw ReaderError(
                    .unsupported, during: operation,
                    detail: "the objects come encrypted, mode \(hex2(result.encryptionMode).uppercased())")
            }
            guard let told = ToldCard(parsing: Array(frame.data[result.objects]), Self.vendorTags) else {
                throw ReaderError(.protocolViolation, during: operation, detail: "the objects are damaged")
            }
            return .stop(try stop(result, told, known, operation))
        }
    }

    private func stop(
        _ result: QPOSEMVResult, _ told: ToldCard, _ known: CardAccount?, _ operation: String
    ) throws(ReaderError) -> ReaderStop {
        let reading = told.reading(.contactChip, known: known)
        switch result.outcome {
        case .goOnline:
            phase.withLock { $0 = .online(reading) }
            return .online(reading)
        case .accepted:
            // The card must have said so, too.
            switch told.cryptogramType {
            case 0x40: return .approved(reading)
            case 0x00: return .declined(reading)
            default:
                throw ReaderError(
                    .protocolViolation, during: operation, detail: "accepted without a transaction certificate")
            }
        case .denied: return .declined(reading)
        case .other(let byte):
            throw ReaderError(
                .protocolViolation, during: operation, detail: "outcome \(hex2(byte).uppercased()), not published")
        }
    }

    private func choice(_ data: [UInt8], _ operation: String) throws(ReaderError) -> ReaderStop {
        guard let choice = QPOSApplicationChoice(parsing: data), !choice.names.isEmpty else {
            throw ReaderError(.protocolViolation, during: operation, detail: "a list of applications that is none")
        }
        // A choice decides nothing yet: a cancel that came meanwhile counts.
        if Task.isCancelled {
            throw ReaderError(.cancelled, during: operation, detail: "before an application was chosen")
        }
        phase.withLock { $0 = .choosing(choice.names.count) }
        return .applicationChoice(choice.names.map { printableLabel($0) })
    }

    /// The error of an ending that is none of the card.
    func failure(_ ending: QPOSLink.Ending, _ operation: String) -> ReaderError {
        switch ending {
        case .stopped(.cancelled): ReaderError(.cancelled, during: operation)
        case .stopped(.deadline): ReaderError(.silent, during: operation)
        case .failed(let frame), .done(let frame):
            QPOSFailure(status: frame.status, operation: operation).readerError
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
            let isClean = isStopped && error.detail == nil && !link.hasOpenCommand
            if error.code != .gone, error.code != .closed, !isClean {
                await Task { try? await link.reset("ending a payment") }.value
            }
            throw error
        }
    }
}
