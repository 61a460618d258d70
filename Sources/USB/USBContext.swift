internal import CLibUSB
import Synchronization
public import Transport

/// One libusb world: a context, its event thread, and the devices opened through it. A process needs one.
///
/// Deadlines given to it and to its connections are instants of `SystemMonotonicClock`.
/// End it with `shutdown()`, which closes what is still open.
public final class USBContext: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: USBConnection] = [:]
        var isShutDown = false
    }

    /// A failed start is kept here and reported by the first `open`.
    private let loop: Result<EventLoop, TransportError>
    private let state = Mutex(State())

    public init() {
        loop = Self.start()
    }

    deinit {
        // Connections keep the context alive, so nothing is in flight here.
        if case .success(let loop) = loop { loop.requestStop() }
    }

    private static func start() -> Result<EventLoop, TransportError> {
        var context: OpaquePointer?
        let code = libusb_init(&context)
        guard code == 0, let context else {
            return .failure(LibUSBError(code: code).transportError(during: "start libusb"))
        }
        do throws(TransportError) {
            return .success(try EventLoop(context: LibUSBContextPointer(pointer: context)))
        } catch {
            libusb_exit(context)
            return .failure(error)
        }
    }

    /// Throws what made the start fail, if it did.
    public func checkStarted() throws(TransportError) {
        _ = try loop.get()
    }

    /// Opens a device and claims one of its interfaces.
    ///
    /// For a device that has just arrived, "not found" and "access denied" are tried again with growing pauses, at most
    /// for `options.settlingTime`. Detaching a kernel driver, claiming and re-attaching are one unit: a failed claim
    /// leaves the driver attached.
    ///
    /// Throws `.gone` (no such device, or it left), `.denied` (no access to the node), `.busy` (another program or a
    /// driver holds the interface), `.unsupported` (no such interface, or no data pipes in it), `.timedOut`,
    /// `.cancelled`, `.closed` (shut down), `.failed`.
    public func open(
        _ address: USBDeviceAddress, interface selection: USBInterfaceSelection = .firstWithBulkPipes,
        options: USBOpenOptions = USBOpenOptions(), until deadline: Deadline
    ) async throws(TransportError) -> USBConnection {
        let loop = try loop.get()
        let clock = SystemMonotonicClock.shared
        let worker = try BlockingWorker(named: "usb \(address)")
        let settled = min(Deadline.after(options.settlingTime, on: clock), deadline)
        var pause = Duration.milliseconds(5)
        while true {
            try checkOpening(deadline, worker)
            let context = loop.context
            let attempt = await worker.run {
                Result { () throws(LibUSBError) in
                    try DeviceHandle.open(address, interface: selection, options, in: context)
                }
            }
            switch attempt {
            case .success(let handle):
                return try await adopt(handle, at: address, worker, loop, options)
            case .failure(let error):
                guard error.mayPassAfterArrival, !settled.hasPassed(on: clock) else {
                    worker.stop()
                    throw error.openError
                }
            }
            await clock.sleep(until: min(clock.now().advanced(by: pause), settled.instant))
            pause = min(pause * 2, .milliseconds(100))
        }
    }

    /// What a device says of itself: its device descriptor and the configuration that it is in. Nothing is claimed, and
    /// no driver is disturbed.
    ///
    /// Throws `.gone` (no such device, or it left), `.timedOut`, `.cancelled`, `.closed` (shut down), `.failed`.
    public func describe(
        _ address: USBDeviceAddress, until deadline: Deadline
    ) async throws(TransportError) -> USBDescription {
        let loop = try loop.get()
        let worker = try BlockingWorker(named: "usb \(address)")
        try checkOpening(deadline, worker)
        let context = loop.context
        let outcome = await worker.run {
            Result { () throws(LibUSBError) in try USBDescription.read(address, in: context) }
        }
        worker.stop()
        do throws(LibUSBError) {
            return try outcome.get()
        } catch {
            throw error.openError
        }
    }

    /// Ends everything: refuses new opens, closes every connection (which cancels and awaits its transfers), stops the
    /// event thread, frees libusb. May be called more than once.
    public func shutdown() async {
        let connections = state.withLock { state in
            state.isShutDown = true
            return Array(state.connections.values)
        }
        for connection in connections { await connection.close() }
        if case .success(let loop) = loop { await loop.stop() }
    }

    func forget(_ connection: ObjectIdentifier) {
        state.withLock { $0.connections[connection] = nil }
    }

    private func checkOpening(_ deadline: Deadline, _ worker: BlockingWorker) throws(TransportError) {
        let code: TransportError.Code
        if state.withLock({ $0.isShutDown }) {
            code = .closed
        } else if Task.isCancelled {
            code = .cancelled
        } else if deadline.hasPassed(on: SystemMonotonicClock.shared) {
            code = .timedOut
        } else {
            return
        }
        worker.stop()
        throw TransportError(code, during: "open")
    }

    private func adopt(
        _ handle: DeviceHandle, at address: USBDeviceAddress, _ worker: BlockingWorker, _ loop: EventLoop,
        _ options: USBOpenOptions
    ) async throws(TransportError) -> USBConnection {
        guard let pipes = DataPipes(of: handle.interface, companions: handle.companions) else {
            await worker.run { handle.close() }
            worker.stop()
            throw TransportError(.unsupported, during: "open", underlying: "no data pipes in this interface")
        }
        let connection = USBConnection(
            handle, at: address, pipes: pipes, options: options, worker: worker, loop: loop, context: self)
        let isWelcome = state.withLock { state in
            if !state.isShutDown { state.connections[ObjectIdentifier(connection)] = connection }
            return !state.isShutDown
        }
        if !isWelcome || Task.isCancelled {
            await connection.close()
            throw TransportError(isWelcome ? .cancelled : .closed, during: "open")
        }
        return connection
    }
}

extension LibUSBError {
    /// Not one of libusb's: its codes are negative and end at -99.
    static let noSuchInterface = Self(code: -1000)

    /// True of errors that a device shows for a moment after it has arrived, before udev has finished with it.
    fileprivate var mayPassAfterArrival: Bool {
        self == .access || self == .notFound || self == .noDevice
    }

    fileprivate var openError: TransportError {
        switch self {
        case .noSuchInterface: TransportError(.unsupported, during: "open", underlying: "no such interface")
        case .notFound: TransportError(.gone, during: "open", underlying: name)
        default: transportError(during: "open")
        }
    }
}
