import Synchronization
public import Transport

/// A port of a USB-serial chip, driven over USB without the kernel's driver: the same contract as a tty.
///
/// Bytes are read ahead, at most 64 KiB and one transfer; what is beyond that stays in the chip. A stall of the input is
/// cleared and reading goes on. When the device leaves, what it had sent before can still be received, and then everything
/// is `.gone`. Calls that change settings or lines are made one at a time. Deadlines are instants of the clock it was
/// opened with, which must be one on which time passes by itself.
public final class USBSerialPort: SerialLine, Sendable {
    struct Line {
        /// What was asked for, nil after a change that has failed, and what the chip made of it.
        var asked: SerialSettings?
        var kept: SerialSettings
        var outputs: ModemOutputs
        /// As the last notification had it.
        var inputs: ModemInputs = []
        /// When the last byte that was sent is out, as far as the speed tells.
        var busyUntil: MonotonicInstant
        var closing: Task<Void, Never>?
    }

    public let traits: TransportTraits
    /// For people: the chip's name.
    public var chipName: String { chip.name }

    let chip: any SerialChip
    let pipe: any Transport
    let clock: any MonotonicClock
    let line: Mutex<Line>
    let inbound = InboundBytes()
    private let hangsUp: Bool
    private let listeners = Mutex<[Task<Void, Never>]>([])

    /// More than this, bytes, never goes into one bulk OUT transfer, so that a send that ends early knows how much went
    /// out.
    private static let largestPart = 1024
    /// The largest buffer that such chips have, in characters: more than that is never still to go out.
    private static let largestBuffer = 1024
    /// How long a close lets bytes go out, and how long its requests may take together.
    private static let lingerTime = Duration.milliseconds(500)
    private static let closingTime = Duration.seconds(1)

    private init(
        _ pipe: any Transport, _ chip: any SerialChip, _ line: Line, hangsUp: Bool, clock: any MonotonicClock
    ) {
        self.pipe = pipe
        self.chip = chip
        self.line = Mutex(line)
        self.hangsUp = hangsUp
        self.clock = clock
        traits = TransportTraits(packetSize: 1, hasEvents: false, hasControl: false)
    }

    /// Makes a line of an open USB device whose pipes are those of `chip`. DTR and RTS are raised. `pipe` belongs to the
    /// port from now on; it is closed when this fails.
    ///
    /// - Throws: `.unsupported` with a sentence when the chip cannot do the settings; else what `pipe` throws.
    public static func open(
        _ pipe: any Transport, as chip: any SerialChip, _ settings: SerialSettings, hangsUpOnClose: Bool = true,
        clock: any MonotonicClock = SystemMonotonicClock.shared, until deadline: Deadline
    ) async throws(TransportError) -> USBSerialPort {
        let outputs: ModemOutputs = [.dtr, .rts]
        do throws(TransportError) {
            let (requests, kept) = try refusable("open") { () throws(SerialChipRefusal) in
                (try chip.opening(settings, outputs: outputs), try chip.kept(settings))
            }
            let line = Line(asked: settings, kept: kept, outputs: outputs, busyUntil: clock.now())
            let port = USBSerialPort(pipe, chip, line, hangsUp: hangsUpOnClose, clock: clock)
            try await port.carryOut(requests, during: "open", until: deadline)
            let told = try await port.settingsOfDevice(or: kept, until: deadline)
            port.line.withLock { $0.kept = told }
            port.listen()
            return port
        } catch {
            await pipe.close()
            throw error
        }
    }

    public func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        try begin("send", until: deadline)
        let part = max(Self.largestPart / max(pipe.traits.packetSize, 1), 1) * max(pipe.traits.packetSize, 1)
        var sent = 0
        while sent < bytes.count {
            let next = Array(bytes[sent..<min(sent + part, bytes.count)])
            do throws(TransportError) {
                try begin("send", until: deadline)
                try await pipe.send(next, until: deadline)
            } catch {
                // Nobody knows how much of this part is out, so it is not sent a second time.
                if error.code == .stalled { try? await pipe.clearStall(.send, until: deadline) }
                throw TransportError(
                    error.code, during: "send", underlying: "at least \(sent) of \(bytes.count) bytes were sent")
            }
            sent += next.count
            note(sent: next.count)
        }
    }

    public func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await inbound.take(atMost: count, until: deadline, on: clock)
    }

    public func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        throw TransportError(.unsupported, during: "receive event")
    }

    public func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        throw TransportError(.unsupported, during: "control")
    }

    public func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {}

    /// Lets bytes that were sent go out, at most for half a second, lowers the outputs and closes the chip (unless it was
    /// opened otherwise), releases the interfaces and gives them back to
    /// the kernel's driver.
    public func close() async {
        let closing = line.withLock { line in
            if let closing = line.closing { return closing }
            // In a task of its own, so that a cancelled caller leaves no chip behind half open.
            let closing = Task { await shut() }
            line.closing = closing
            return closing
        }
        await closing.value
    }

    private func shut() async {
        let wasGone = inbound.ending?.code == .gone
        inbound.end(TransportError(.closed, during: "receive"))
        if !wasGone, hangsUp {
            let limit = Deadline.after(Self.lingerTime, on: clock)
            try? await awaitOutput(during: "close", until: limit)
            let deadline = Deadline.after(Self.closingTime, on: clock)
            for request in chip.closing() {
                do throws(TransportError) {
                    _ = try await pipe.control(request, until: deadline)
                } catch {
                    // A chip that refuses one request of its close may still take the next.
                    guard error.code == .stalled else { break }
                }
            }
        }
        await pipe.close()
        let listeners = listeners.withLock { $0 }
        for listener in listeners { await listener.value }
    }

    /// Starts reading ahead, and listening for changes of the input lines.
    private func listen() {
        let reading = Task { [pipe, chip, inbound] in
            await InboundReader(pipe: pipe, chip: chip, inbound: inbound).run()
        }
        var tasks = [reading]
        if chip.statusSource == .notifications, pipe.traits.hasEvents {
            tasks.append(Task { [weak self, pipe] in await Self.follow(pipe) { self?.noteNotification($0) } })
        }
        listeners.withLock { $0 = tasks }
    }

    private func noteNotification(_ bytes: [UInt8]) {
        guard let inputs = chip.inputs(in: bytes) else { return }
        line.withLock { $0.inputs = inputs }
    }

    /// Hands on every notification until the connection ends.
    private static func follow(_ pipe: any Transport, _ take: (([UInt8]) -> Void)) async {
        var stalls = 0
        while true {
            do throws(TransportError) {
                take(try await pipe.receiveEvent(until: .never))
                stalls = 0
            } catch {
                guard error.code == .stalled, stalls < 3 else { return }
                stalls += 1
                guard (try? await pipe.clearStall(.event, until: .never)) != nil else { return }
            }
        }
    }

    private func note(sent count: Int) {
        let now = clock.now()
        line.withLock { line in
            let end = max(line.busyUntil, now).advanced(by: line.kept.duration(ofCharacters: count))
            let latest = now.advanced(by: line.kept.duration(ofCharacters: Self.largestBuffer))
            line.busyUntil = min(end, latest)
        }
    }
}

extension Deadline {
    /// For waits that only a close ends.
    static let never = Deadline(MonotonicInstant(nanoseconds: .max))
}
