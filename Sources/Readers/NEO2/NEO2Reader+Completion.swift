import BERTLV
public import EMV
import ReaderWire
import Synchronization
public import Transport

extension NEO2Reader {
    /// For the second cryptogram, with what the issuer wants done.
    static let completionTimeout = Duration.seconds(20)
    private static let completing = "giving the issuer's answer to the card"

    /// A card in the slot gives its last cryptogram, which decides. A tapped or swiped card has gone: the host decides,
    /// and nothing is sent. Cancelling the task changes nothing: the issuer has spoken.
    public func complete(_ answer: HostAnswer, until deadline: Deadline) async throws(ReaderError) -> ReaderStop {
        try await gate.run(Self.completing) { () throws(ReaderError) in
            let phase = payment.withLock { phase in
                defer { phase = .idle }
                return phase
            }
            guard case .online(let reading) = phase else {
                throw ReaderError(.unsupported, during: Self.completing, detail: "no payment waits for it")
            }
            guard reading.entry == .contactChip else {
                if case .answered(_, true, _) = answer { return .approved(reading) }
                return .declined(reading)
            }
            let work = Task { () -> Result<ReaderStop, ReaderError> in
                do throws(ReaderError) {
                    return .success(try await self.finish(answer, until: deadline))
                } catch {
                    return .failure(error)
                }
            }
            return try await work.value.get()
        }
    }

    /// 60-12, then 60-13 for the result, unless the first answer has it.
    private func finish(_ answer: HostAnswer, until deadline: Deadline) async throws(ReaderError) -> ReaderStop {
        let limit = min(deadline, .after(Self.completionTimeout, on: link.clock))
        let told = try await link.exchange(
            .contactHostResponse, data: answer.objectsForReader, operation: Self.completing, until: limit)
        if let stop = try decided(told) { return stop }
        guard told.status == .ok || told.status == .requestOnline else {
            throw NEO2Failure(status: told.status, operation: Self.completing).readerError
        }
        // The result can be asked for again: only the command before it changes something.
        let result = try await link.ask(.contactResult, operation: Self.completing, until: limit)
        if let stop = try decided(result) { return stop }
        throw NEO2Failure(status: result.status, operation: Self.completing).readerError
    }

    /// Nil when an answer decides nothing.
    private func decided(_ frame: NEO2Frame) throws(ReaderError) -> ReaderStop? {
        let holdsCard = NEO2CardResult(frame.data, expecting: .contactChip) != nil
        guard holdsCard || (frame.status == .failed && !frame.data.isEmpty) else { return nil }
        switch try NEO2Decision(frame, expecting: .contactChip, operation: Self.completing) {
        case .stop(.approved(let reading)): return .approved(reading)
        case .stop(.declined(let reading)): return .declined(reading)
        case .stop(.ended(let reason)): return .ended(reason)
        case .cardSilent: throw ReaderError(.cardRemoved, during: Self.completing)
        case .noCard, .stop(.online), .stop(.applicationChoice):
            throw ReaderError(.protocolViolation, during: Self.completing, detail: "no second cryptogram")
        }
    }
}
