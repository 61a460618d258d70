import Synchronization
public import Transport

/// One world of serial ports: its event thread, and the ports and pseudo terminals that are open. A process needs one.
///
/// Deadlines given to it and to its ports are instants of `SystemMonotonicClock`. End it with `shutdown()`, which closes
/// what is still open.
public final class SerialContext: Sendable {
    private struct State {
        var open: [ObjectIdentifier: any Transport] = [:]
        var isShutDown = false
    }

    /// A failed start is kept here and reported by the first use.
    let loop: Result<SerialLoop, TransportError>
    private let state = Mutex(State())

    public init() {
        do throws(TransportError) {
            loop = .success(try SerialLoop())
        } catch {
            loop = .failure(error)
        }
    }

    deinit {
        // Ports keep the context alive, so none is open here.
        if case .success(let loop) = loop { loop.requestStop() }
    }

    /// Opens a tty for this program alone: flock(2) and TIOCEXCL, after a look at the lock files of older programs. Then
    /// it is set to raw bytes and to `settings`. `notes` of the port tells what the driver has not kept.
    ///
    /// For a device that has just arrived, "not found" and "access denied" are tried again with growing pauses, at most
    /// for `options.settlingTime`.
    ///
    /// Throws `.gone` (no such device, or it left), `.denied` and `.busy` (with the text of a `SerialTrouble`, which
    /// names the holder or the fix), `.unsupported` (no tty, or settings that it refuses), `.timedOut`, `.cancelled`,
    /// `.closed` (shut down), `.failed`.
    public func open(
        _ path: String, _ settings: SerialSettings, options: SerialOpenOptions = SerialOpenOptions(),
        until deadline: Deadline
    ) async throws(TransportError) -> SerialPort {
        let loop = try loop.get()
        try checkOpening(deadline)
        let worker = try BlockingWorker(named: "tty " + (path.split(separator: "/").last ?? ""))
        do throws(TransportError) {
            let claim = try await claim(path, settings, options, on: worker, until: deadline)
            return try await adopt(claim, options, worker, loop)
        } catch {
            // Of an adopted port it has stopped already, which is no harm.
            worker.stop()
            throw error
        }
    }

    /// Makes a pseudo terminal, for other programs to open.
    public func makeTerminal() throws(TransportError) -> PseudoTerminal {
        let terminal = try PseudoTerminal(on: try loop.get(), context: self)
        guard keep(terminal, as: terminal.key) else { throw TransportError(.closed, during: "make a pseudo terminal") }
        return terminal
    }

    /// Ends everything: refuses new opens, closes what is open, stops the event thread. May be called more than once.
    public func shutdown() async {
        let open = state.withLock { state in
            state.isShutDown = true
            return Array(state.open.values)
        }
        for transport in open { await transport.close() }
        if case .success(let loop) = loop { await loop.stop() }
    }

    /// False when everything has been shut down.
    func keep(_ transport: any Transport, as key: ObjectIdentifier) -> Bool {
        state.withLock { state in
            if !state.isShutDown { state.open[key] = transport }
            return !state.isShutDown
        }
    }

    func forget(_ key: ObjectIdentifier) {
        state.withLock { $0.open[key] = nil }
    }

    private func claim(
        _ path: String, _ settings: SerialSettings, _ options: SerialOpenOptions, on worker: BlockingWorker,
        until deadline: Deadline
    ) async throws(TransportError) -> PortClaim {
        let clock = SystemMonotonicClock.shared
        let settled = min(Deadline.after(options.settlingTime, on: clock), deadline)
        var pause = Duration.milliseconds(5)
        while true {
            let attempt = await worker.run { () -> Result<PortClaim, PortClaim.Refusal> in
                do throws(PortClaim.Refusal) {
                    return .success(try PortClaim.open(path, settings, options))
                } catch {
                    return .failure(error)
                }
            }
            switch attempt {
            case .success(let claim): return claim
            case .failure(let refusal):
                guard refusal.mayPassAfterArrival, !settled.hasPassed(on: clock) else { throw refusal.transportError }
            }
            await clock.sleep(until: min(clock.now().advanced(by: pause), settled.instant))
            pause = min(pause * 2, .milliseconds(100))
            try checkOpening(deadline)
        }
    }

    private func adopt(
        _ claim: PortClaim, _ options: SerialOpenOptions, _ worker: BlockingWorker, _ loop: SerialLoop
    ) async throws(TransportError) -> SerialPort {
        let port = SerialPort(claim, options: options, worker: worker, loop: loop, context: self)
        let isWelcome = state.withLock { state in
            let isWelcome = !state.isShutDown && port.attach(to: loop)
            if isWelcome { state.open[port.key] = port }
            return isWelcome
        }
        guard isWelcome else {
            let descriptor = claim.descriptor
            await worker.run { PortClaim.close(descriptor, linger: .zero) }
            throw TransportError(.closed, during: "open")
        }
        if Task.isCancelled {
            await port.close()
            throw TransportError(.cancelled, during: "open")
        }
        return port
    }

    private func checkOpening(_ deadline: Deadline) throws(TransportError) {
        if state.withLock({ $0.isShutDown }) { throw TransportError(.closed, during: "open") }
        if Task.isCancelled { throw TransportError(.cancelled, during: "open") }
        if deadline.hasPassed(on: SystemMonotonicClock.shared) { throw TransportError(.timedOut, during: "open") }
    }
}
