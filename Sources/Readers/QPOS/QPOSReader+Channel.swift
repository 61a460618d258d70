public import EMV
import ReaderWire
import Synchronization
public import Transport

/// Bare commands to a card, past the reader's kernel. The layout of the answers is not published: all of DATA is taken for
/// the card's answer.
extension QPOSReader {
    private static let timeout: UInt8 = 10

    /// 16-60.
    /// - Returns: the answer to reset.
    /// - Throws: `.cardMute`, `.cardRemoved`, and what the link throws.
    public func powerOnChip(until deadline: Deadline) async throws(ReaderError) -> [UInt8] {
        try await bare(.chipPowerOn, [0x00, 0x00], "powering the card on", until: deadline)
    }

    /// 16-70.
    /// - Throws: `.protocolViolation` for an answer without a status word.
    public func transmit(_ command: CommandAPDU, until deadline: Deadline) async throws(ReaderError) -> ResponseAPDU {
        try await response(.chipAPDU, command, until: deadline)
    }

    /// 16-80. Never throws: it is a clean-up step.
    public func powerOffChip() async {
        await Task {
            _ = try? await bare(
                .chipPowerOff, [], "powering the card off", until: .after(QPOSLink.stopTimeout, on: link.clock))
        }.value
    }

    /// 17-00: looks for a contactless card and powers it.
    /// - Returns: what the reader tells of the card.
    /// - Throws: `.cardNotInserted` when there is none.
    public func powerOnContactless(until deadline: Deadline) async throws(ReaderError) -> [UInt8] {
        do throws(ReaderError) {
            return try await bare(.nfcPowerOn, [0x00], "powering a contactless card on", until: deadline)
        } catch {
            guard error.code == .silent, error.detail != nil else { throw error }
            throw ReaderError(.cardNotInserted, during: error.operation, detail: error.detail)
        }
    }

    /// 17-10.
    public func transmitContactless(
        _ command: CommandAPDU, until deadline: Deadline
    ) async throws(ReaderError) -> ResponseAPDU {
        try await response(.nfcAPDU, command, until: deadline)
    }

    private func response(
        _ code: QPOSCommand, _ command: CommandAPDU, until deadline: Deadline
    ) async throws(ReaderError) -> ResponseAPDU {
        let operation = "sending a command to the card"
        let answer = try await bare(code, command.bytes, operation, until: deadline)
        guard let response = ResponseAPDU(bytes: answer) else {
            throw ReaderError(
                .protocolViolation, during: operation, detail: "an answer of \(answer.count) bytes has no status word")
        }
        return response
    }

    private func bare(
        _ command: QPOSCommand, _ data: [UInt8], _ operation: String, until deadline: Deadline
    ) async throws(ReaderError) -> [UInt8] {
        try await gate.run(operation) { () throws(ReaderError) in
            phase.withLock { $0 = .idle }
            let ending = try await link.ask(
                command, timeout: Self.timeout, data: data, operation: operation, until: deadline)
            guard case .done(let frame) = ending, frame.timeoutOrResult == 0 else { throw failure(ending, operation) }
            return frame.data
        }
    }
}
