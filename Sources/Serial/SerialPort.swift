import Glibc
public import Transport

/// An open tty of the kernel. Made by `SerialContext.open`. Deadlines are instants of `SystemMonotonicClock`.
///
/// Bytes are read ahead, at most 64 KiB; what is beyond that stays with the kernel, whose flow control holds the device
/// back. A tty whose device has left is closed at once, so that the device can come back under the same name; what it had
/// sent before can still be received, and then everything is `.gone`.
public final class SerialPort: SerialLine, Sendable {
    /// The node without links in its name, for example "/dev/ttyUSB0".
    public let node: String
    /// What could not be done as asked when it was opened.
    public let notes: [SerialNote]
    public let traits = TransportTraits(packetSize: 1, hasEvents: false, hasControl: false)

    private let descriptor: Int32
    private let hangsUp: Bool
    let channel: ByteChannel
    private let worker: BlockingWorker

    init(
        _ claim: PortClaim, options: SerialOpenOptions, worker: BlockingWorker, loop: SerialLoop, context: SerialContext
    ) {
        let descriptor = claim.descriptor
        self.descriptor = descriptor
        self.worker = worker
        node = claim.node
        notes = claim.notes
        hangsUp = options.hangsUpOnClose
        channel = ByteChannel(descriptor, loop: loop) { key, released in
            // The driver may make a close wait.
            worker.enqueue {
                PortClaim.close(descriptor, linger: options.lingerTime)
                context.forget(key)
                released()
                worker.stop()
            }
        }
    }

    /// False when the loop is stopping.
    func attach(to loop: SerialLoop) -> Bool { loop.add(channel) }

    var key: ObjectIdentifier { ObjectIdentifier(channel) }

    public func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        try await channel.send(bytes, until: deadline)
    }

    public func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await channel.receive(atMost: count, until: deadline)
    }

    public func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        throw TransportError(.unsupported, during: "receive event")
    }

    public func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        throw TransportError(.unsupported, during: "control")
    }

    public func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {}

    public func close() async {
        await channel.close()
    }

    /// One call on the worker's thread, since a driver may ask its device over USB and wait for the answer.
    private func perform<Value: Sendable>(
        _ operation: String, until deadline: Deadline,
        _ call: @escaping @Sendable (Int32) throws(SystemError) -> Value
    ) async throws(TransportError) -> Value {
        try channel.beginOperation(operation, until: deadline)
        let descriptor = descriptor
        let outcome = await worker.run { () -> Result<Value, SystemError> in
            do throws(SystemError) { return .success(try call(descriptor)) } catch { return .failure(error) }
        }
        channel.endOperation()
        switch outcome {
        case .success(let value): return value
        case .failure(let error): throw error.transportError(during: operation)
        }
    }
}

/// Settings, modem lines, break and buffers.
extension SerialPort {
    @discardableResult
    public func configure(
        _ settings: SerialSettings, until deadline: Deadline
    ) async throws(TransportError) -> SerialSettings {
        let hangsUp = hangsUp
        return try await perform("set the line", until: deadline) { descriptor throws(SystemError) in
            var attributes = try TerminalAttributes(of: descriptor)
            attributes.set(settings, hangsUp: hangsUp)
            try attributes.apply(to: descriptor)
            return try TerminalAttributes(of: descriptor).settings ?? settings
        }
    }

    public func settings(until deadline: Deadline) async throws(TransportError) -> SerialSettings {
        try await perform("read the settings", until: deadline) { descriptor throws(SystemError) in
            guard let settings = try TerminalAttributes(of: descriptor).settings else { throw SystemError(EINVAL) }
            return settings
        }
    }

    public func modemLines(until deadline: Deadline) async throws(TransportError) -> ModemLines {
        try await perform("read the modem lines", until: deadline) { descriptor throws(SystemError) in
            var bits: Int32 = 0
            guard ioctl(descriptor, UInt(TIOCMGET), &bits) == 0 else { throw .last }
            return ModemLines(kernelBits: bits)
        }
    }

    public func set(
        raised: ModemOutputs, lowered: ModemOutputs, until deadline: Deadline
    ) async throws(TransportError) {
        try await perform("set the modem lines", until: deadline) { descriptor throws(SystemError) in
            var off = lowered.subtracting(raised).kernelBits
            var on = raised.kernelBits
            if off != 0, ioctl(descriptor, UInt(TIOCMBIC), &off) != 0 { throw SystemError.last }
            if on != 0, ioctl(descriptor, UInt(TIOCMBIS), &on) != 0 { throw SystemError.last }
        }
    }

    public func setBreak(_ isOn: Bool, until deadline: Deadline) async throws(TransportError) {
        try await perform("break", until: deadline) { descriptor throws(SystemError) in
            guard ioctl(descriptor, UInt(isOn ? TIOCSBRK : TIOCCBRK)) == 0 else { throw .last }
        }
    }

    /// The kernel can only wait for this in a way that nothing ends (tcdrain), so it is asked how much is left, after as
    /// long as that much takes on the line.
    public func drain(until deadline: Deadline) async throws(TransportError) {
        let clock = SystemMonotonicClock.shared
        let settings = try await settings(until: deadline)
        while true {
            let waiting = try await perform("drain", until: deadline) { descriptor throws(SystemError) in
                var waiting: Int32 = 0
                guard ioctl(descriptor, PortClaim.outputWaiting, &waiting) == 0 else { throw .last }
                return Int(waiting)
            }
            guard waiting > 0 else { return }
            let pause = min(max(settings.duration(ofCharacters: waiting), .milliseconds(2)), .milliseconds(50))
            await clock.sleep(until: min(clock.now().advanced(by: pause), deadline.instant))
        }
    }

    public func purge(_ buffers: SerialBuffers, until deadline: Deadline) async throws(TransportError) {
        guard !buffers.isEmpty else { return }
        let queue: Int32 =
            switch buffers {
            case .input: TCIFLUSH
            case .output: TCOFLUSH
            default: TCIOFLUSH
            }
        try await perform("purge", until: deadline) { descriptor throws(SystemError) in
            guard tcflush(descriptor, queue) == 0 else { throw .last }
        }
        if buffers.contains(.input) { channel.discardInbound() }
    }
}
