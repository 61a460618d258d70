import Synchronization
public import Transport

/// Settings, modem lines, break and buffers.
extension USBSerialPort {
    /// Settings that are in force are not sent again: a PL2303 loses bytes when they are.
    @discardableResult
    public func configure(
        _ settings: SerialSettings, until deadline: Deadline
    ) async throws(TransportError) -> SerialSettings {
        let operation = "set the line"
        try begin(operation, until: deadline)
        let present = line.withLock { $0 }
        if present.asked == settings { return present.kept }
        let (requests, kept) = try Self.refusable(operation) { () throws(SerialChipRefusal) in
            (try chip.configuring(settings, outputs: present.outputs), try chip.kept(settings))
        }
        do throws(TransportError) {
            try await carryOut(requests, during: operation, until: deadline)
        } catch {
            // A part of it may be in force.
            line.withLock { $0.asked = nil }
            guard error.code == .stalled else { throw error }
            throw TransportError(
                .unsupported, during: operation, underlying: "the \(chip.name) refuses \(settings)")
        }
        let told = try await settingsOfDevice(or: kept, until: deadline)
        line.withLock { line in
            line.asked = settings
            line.kept = told
        }
        return told
    }

    public func settings(until deadline: Deadline) async throws(TransportError) -> SerialSettings {
        try begin("read the settings", until: deadline)
        return try await settingsOfDevice(or: line.withLock { $0.kept }, until: deadline)
    }

    /// For a chip that tells its inputs by notifications, those of the last one: none before the first.
    public func modemLines(until deadline: Deadline) async throws(TransportError) -> ModemLines {
        let operation = "read the modem lines"
        try begin(operation, until: deadline)
        let (outputs, told) = line.withLock { ($0.outputs, $0.inputs) }
        guard case .request(let request) = chip.statusSource else { return ModemLines(outputs: outputs, inputs: told) }
        let answer = try await ask(request, during: operation, until: deadline)
        guard let inputs = chip.inputs(in: answer) else { throw wrongLength(operation) }
        return ModemLines(outputs: outputs, inputs: inputs)
    }

    public func set(
        raised: ModemOutputs, lowered: ModemOutputs, until deadline: Deadline
    ) async throws(TransportError) {
        let operation = "set the modem lines"
        try begin(operation, until: deadline)
        let outputs = line.withLock { $0.outputs.subtracting(lowered).union(raised) }
        let requests = chip.setting(outputs, changed: raised.union(lowered))
        try await carryOut(requests, during: operation, until: deadline)
        line.withLock { $0.outputs = outputs }
    }

    public func setBreak(_ isOn: Bool, until deadline: Deadline) async throws(TransportError) {
        try begin("break", until: deadline)
        var registers: [UInt8] = []
        if let request = chip.breakRegisters {
            registers = try await ask(request, during: "break", until: deadline)
        }
        let requests = chip.breaking(isOn, in: line.withLock { $0.kept }, registers: registers)
        try await carryOut(requests, during: "break", until: deadline)
    }

    /// A chip that tells what it has not sent yet is asked; another is given the time that the bytes take, and at most that
    /// of the largest buffer such chips have.
    public func drain(until deadline: Deadline) async throws(TransportError) {
        try begin("drain", until: deadline)
        try await awaitOutput(during: "drain", until: deadline)
    }

    public func purge(_ buffers: SerialBuffers, until deadline: Deadline) async throws(TransportError) {
        try begin("purge", until: deadline)
        try await carryOut(chip.purging(buffers), during: "purge", until: deadline)
        if buffers.contains(.input) { inbound.discard() }
    }
}

extension USBSerialPort {
    /// Throws what keeps a call from beginning.
    func begin(_ operation: String, until deadline: Deadline) throws(TransportError) {
        if let ending = inbound.ending {
            throw TransportError(ending.code, during: operation, underlying: ending.underlying)
        }
        if Task.isCancelled { throw TransportError(.cancelled, during: operation) }
        if deadline.hasPassed(on: clock) { throw TransportError(.timedOut, during: operation) }
    }

    /// Waits until the chip has sent what it was given.
    func awaitOutput(during operation: String, until deadline: Deadline) async throws(TransportError) {
        let pause = line.withLock { max($0.kept.duration(ofCharacters: 8), .milliseconds(2)) }
        guard let request = chip.outputRequest else {
            let end = line.withLock { $0.busyUntil }
            await clock.sleep(until: min(end, deadline.instant))
            guard clock.now() >= end else {
                throw TransportError(Task.isCancelled ? .cancelled : .timedOut, during: operation)
            }
            return
        }
        while !chip.isOutputEmpty(in: try await ask(request, during: operation, until: deadline)) {
            await clock.sleep(until: min(clock.now().advanced(by: pause), deadline.instant))
        }
    }

    /// Carries out requests in their order.
    func carryOut(
        _ requests: [ControlRequest], during operation: String, until deadline: Deadline
    ) async throws(TransportError) {
        for request in requests { _ = try await ask(request, during: operation, until: deadline) }
    }

    /// One request, and its answer of just the length that was asked for.
    func ask(
        _ request: ControlRequest, during operation: String, until deadline: Deadline
    ) async throws(TransportError) -> [UInt8] {
        let answer: [UInt8]
        do throws(TransportError) {
            answer = try await pipe.control(request, until: deadline)
        } catch {
            throw TransportError(error.code, during: operation, underlying: error.underlying)
        }
        guard !request.isDeviceToHost || answer.count == Int(request.expectedLength) else {
            throw wrongLength(operation)
        }
        return answer
    }

    func wrongLength(_ operation: String) -> TransportError {
        TransportError(
            .failed, during: operation, underlying: "the \(chip.name) gave an answer of a wrong length")
    }

    /// What the device says it is set to; `known` where it does not say, or says nothing that makes sense.
    func settingsOfDevice(
        or known: SerialSettings, until deadline: Deadline
    ) async throws(TransportError) -> SerialSettings {
        guard let request = chip.settingsRequest else { return known }
        do throws(TransportError) {
            guard var told = chip.settings(in: try await pipe.control(request, until: deadline)) else { return known }
            told.flow = known.flow
            return told
        } catch {
            // Many devices do not know this request.
            guard error.code == .stalled else { throw error }
            return known
        }
    }

    /// What a chip cannot do is `.unsupported`, with its sentence.
    static func refusable<Value>(
        _ operation: String, _ body: () throws(SerialChipRefusal) -> Value
    ) throws(TransportError) -> Value {
        do throws(SerialChipRefusal) {
            return try body()
        } catch {
            throw TransportError(.unsupported, during: operation, underlying: error.description)
        }
    }
}
