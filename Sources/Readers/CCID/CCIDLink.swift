import ReaderWire
import Synchronization
import Transport

/// Commands and answers of one slot over a transport (CCID 1.1, 6): sequence numbers, time extensions, and the way back
/// to order after silence or nonsense. Called by one operation at a time.
final class CCIDLink: Sendable {
    /// A reader that takes no command for this long is stuck.
    static let sendTimeout = Duration.seconds(2)
    /// How long an ABORT may take before the reader is given up for this exchange.
    static let abortTimeout = Duration.milliseconds(500)
    /// Answers of earlier commands that are dropped before the dialogue counts as out of step.
    static let maximumStaleAnswers = 10
    /// What one transfer may hold of an answer that is thrown away, in bytes: whole packets of every speed.
    static let drainLength = 16_384

    let transport: any Transport
    let clock: any MonotonicClock
    private let slot: UInt8
    private let interfaceNumber: UInt16
    private let responseTimeout: Duration
    private let maximumMessageLength: Int
    /// A buffer of whole packets: a reader that says too much then fills it, where a smaller one would make the host
    /// controller drop the transfer.
    private let receiveLength: Int
    private let state: Mutex<State>

    private struct State {
        var sequence: UInt8 = 0
        var assembler: CCIDFrameAssembler
    }

    /// - Parameters:
    ///   - maximumMessageLength: dwMaxCCIDMessageLength of the class descriptor, bytes.
    ///   - responseTimeout: for an answer, or for the next sign of life after a time extension.
    init(
        transport: any Transport, clock: any MonotonicClock, slot: UInt8 = 0, interfaceNumber: UInt16,
        maximumMessageLength: Int, responseTimeout: Duration
    ) {
        self.transport = transport
        self.clock = clock
        self.slot = slot
        self.interfaceNumber = interfaceNumber
        self.responseTimeout = responseTimeout
        self.maximumMessageLength = min(max(maximumMessageLength, CCIDCommand.headerLength + 1), 65_556)
        let packet = max(1, transport.traits.packetSize)
        receiveLength = (self.maximumMessageLength + packet - 1) / packet * packet
        state = Mutex(State(assembler: CCIDFrameAssembler(maximumMessageLength: self.maximumMessageLength)))
    }

    /// The data that one message can carry.
    var maximumDataLength: Int { maximumMessageLength - CCIDCommand.headerLength }

    /// Sends one command and returns its answer, which succeeded.
    func exchange(
        _ type: CCIDMessageType.Command, specific: CCIDCommand.SpecificBytes = CCIDCommand.SpecificBytes(),
        data: [UInt8] = [], expecting expected: CCIDMessageType.Response, operation: String, until deadline: Deadline
    ) async throws(ReaderError) -> CCIDResponse {
        // What was never sent needs no ABORT.
        if Task.isCancelled { throw ReaderError(.cancelled, during: operation) }
        if deadline.hasPassed(on: clock) { throw ReaderError(.silent, during: operation, detail: "no time is left") }
        let sequence = state.withLock { state in
            defer { state.sequence &+= 1 }
            return state.sequence
        }
        let command = CCIDCommand(type, slot: slot, sequence: sequence, specific: specific, data: data)
        do throws(TransportError) {
            try await transport.send(command.bytes, until: min(deadline, .after(Self.sendTimeout, on: clock)))
        } catch {
            throw await recovered(from: error, sequence: sequence, operation: operation)
        }
        let response = try await answer(to: sequence, operation: operation, until: deadline)
        if response.status.command == .failed {
            throw Self.failure(response, operation: operation)
        }
        guard response.type == expected else {
            throw ReaderError(
                .protocolViolation, during: operation, detail: "answer \(response.type) instead of \(expected)")
        }
        return response
    }

    /// The answer with this sequence number, after any time extensions; stale ones are dropped.
    private func answer(
        to sequence: UInt8, operation: String, until deadline: Deadline
    ) async throws(ReaderError) -> CCIDResponse {
        var wait = min(deadline, .after(responseTimeout, on: clock))
        var stale = 0
        while true {
            let response = try await nextMessage(sequence: sequence, operation: operation, until: wait)
            guard response.slot == slot, response.sequence == sequence else {
                stale += 1
                guard stale <= Self.maximumStaleAnswers else {
                    throw ReaderError(
                        .protocolViolation, during: operation,
                        detail: "sequence \(response.sequence) instead of \(sequence), \(stale) times")
                }
                continue
            }
            switch response.status.command {
            case .timeExtension:
                let multiplier = max(1, Int(response.error))
                wait = min(deadline, .after(responseTimeout * multiplier, on: clock))
            case .reserved:
                throw ReaderError(.protocolViolation, during: operation, detail: "reserved command status")
            case .succeeded, .failed:
                return response
            }
        }
    }

    private func nextMessage(
        sequence: UInt8, operation: String, until deadline: Deadline
    ) async throws(ReaderError) -> CCIDResponse {
        while true {
            do throws(CCIDFrameError) {
                if let message = try takeMessage() { return message }
            } catch {
                await abort(sequence)
                throw ReaderError(.protocolViolation, during: operation, detail: error.description)
            }
            do throws(TransportError) {
                let bytes = try await transport.receive(atMost: receiveLength, until: deadline)
                state.withLock { $0.assembler.append(bytes) }
            } catch {
                throw await recovered(from: error, sequence: sequence, operation: operation)
            }
        }
    }

    private func takeMessage() throws(CCIDFrameError) -> CCIDResponse? {
        let result = state.withLock { state in
            Result { () throws(CCIDFrameError) in try state.assembler.next() }
        }
        return try result.get()
    }

    /// Puts the link back in order after a failed transfer, as far as the failure allows, and names the failure.
    private func recovered(from error: TransportError, sequence: UInt8, operation: String) async -> ReaderError {
        switch error.code {
        case .gone, .closed, .denied, .busy, .unsupported:
            break
        case .stalled:
            let deadline = Deadline.after(Self.abortTimeout, on: clock)
            try? await transport.clearStall(.receive, until: deadline)
            try? await transport.clearStall(.send, until: deadline)
            state.withLock { $0.assembler.reset() }
        case .timedOut, .cancelled, .overflow, .failed:
            await abort(sequence)
        }
        return ReaderError(error, during: operation)
    }

    /// Ends a command that is still open in the reader (5.3.1): the class request ABORT and PC_to_RDR_Abort with the same
    /// sequence number, then everything up to its answer is dropped. Runs to its end even when the caller is cancelled.
    private func abort(_ sequence: UInt8) async {
        state.withLock { $0.assembler.reset() }
        await Task { await self.sendAbort(sequence) }.value
        state.withLock { $0.assembler.reset() }
    }

    private func sendAbort(_ sequence: UInt8) async {
        let deadline = Deadline.after(Self.abortTimeout, on: clock)
        do throws(TransportError) {
            if transport.traits.hasControl {
                let request = ControlRequest(
                    requestType: 0x21, request: 0x01, value: UInt16(sequence) << 8 | UInt16(slot),
                    index: interfaceNumber)
                do throws(TransportError) {
                    _ = try await transport.control(request, until: deadline)
                } catch  where error.code == .stalled || error.code == .unsupported {
                    // Many readers know only the bulk message.
                }
            }
            let command = CCIDCommand(.abort, slot: slot, sequence: sequence)
            try await transport.send(command.bytes, until: deadline)
            for _ in 0...Self.maximumStaleAnswers {
                let bytes = try await transport.receive(atMost: Self.drainLength, until: deadline)
                if let response = try? CCIDResponse(parsing: bytes), response.type == .slotStatus,
                    response.sequence == sequence
                {
                    return
                }
            }
        } catch {
            // A reader that ignores the abort is caught by the next command's sequence check.
        }
    }

    /// What a failed command means for the caller.
    private static func failure(_ response: CCIDResponse, operation: String) -> ReaderError {
        let error = CCIDSlotError(response.error)
        let detail = "\(error.name): \(error.sentence)"
        if response.status.card == .absent {
            return ReaderError(.cardRemoved, during: operation, detail: detail)
        }
        let code: ReaderError.Code =
            switch error {
            case .iccMute: .cardMute
            case .badATRTS, .badATRTCK, .iccProtocolNotSupported, .iccClassNotSupported, .procedureByteConflict,
                .deactivatedProtocol, .transferParityError:
                .cardUnusable
            case .hardwareError: .hardwareFault
            case .commandSlotBusy, .busyWithAutoSequence: .busy
            case .transferOverrun: .linkFailed
            default: .protocolViolation
            }
        return ReaderError(code, during: operation, detail: detail)
    }
}
