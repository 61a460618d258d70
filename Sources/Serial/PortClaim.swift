import Glibc
internal import Transport

/// A tty, opened, taken for ourselves and set up. All of it may block and belongs on a worker's thread.
struct PortClaim {
    let descriptor: Int32
    /// The node without links in its name.
    let node: String
    let kept: SerialSettings
    let notes: [SerialNote]

    enum Refusal: Error {
        case system(SystemError, during: String)
        case trouble(SerialTrouble, TransportError.Code)

        var transportError: TransportError {
            switch self {
            case .system(let error, let operation): error.transportError(during: operation)
            case .trouble(let trouble, let code): trouble.transportError(code)
            }
        }

        /// True of what a device shows for a moment after it has arrived.
        var mayPassAfterArrival: Bool {
            switch self {
            case .system(let error, _): error.code == .gone
            case .trouble(_, let code): code == .denied
            }
        }
    }

    /// The lock comes before anything else, so that a second program leaves the settings of the first alone.
    static func open(
        _ path: String, _ settings: SerialSettings, _ options: SerialOpenOptions
    ) throws(Refusal) -> PortClaim {
        guard let node = NodeName.resolved(path) else { throw refusal(.last, path) }
        if let holder = UUCPLock(directory: options.lockDirectory).holder(of: node) {
            throw .trouble(.held(node: node, by: [holder]), .busy)
        }
        let descriptor = Glibc.open(node, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw refusal(.last, node) }
        do throws(Refusal) {
            var notes = try takeExclusively(descriptor, node)
            let kept = try setUp(descriptor, node, settings, options)
            if kept != settings { notes.append(.settingsDiffer(asked: settings, kept: kept)) }
            return PortClaim(descriptor: descriptor, node: node, kept: kept, notes: notes)
        } catch {
            Glibc.close(descriptor)
            // Who holds it is looked up now, when our own descriptor is no longer in the way.
            if case .trouble(.held(let node, []), let code) = error { throw .trouble(.holding(node), code) }
            throw error
        }
    }

    /// For ours: lets what was sent go out for a while, and frees the port.
    static func close(_ descriptor: Int32, linger: Duration) {
        let clock = SystemMonotonicClock.shared
        let deadline = Deadline.after(linger, on: clock)
        var waiting: Int32 = 0
        while ioctl(descriptor, outputWaiting, &waiting) == 0, waiting > 0, !deadline.hasPassed(on: clock) {
            poll(nil, 0, 5)
        }
        // What is left would make close(2) wait, for up to 30 seconds.
        tcflush(descriptor, TCOFLUSH)
        _ = ioctl(descriptor, UInt(TIOCNXCL))
        Glibc.close(descriptor)
    }

    /// TIOCOUTQ: bytes that have not gone out yet.
    static let outputWaiting: UInt = 0x5411
    /// TIOCGEXCL, _IOR('T', 0x40, int): whether somebody has taken the port by TIOCEXCL.
    private static let isExclusive: UInt = 0x8004_5440

    private static func takeExclusively(_ descriptor: Int32, _ node: String) throws(Refusal) -> [SerialNote] {
        var notes: [SerialNote] = []
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno != EWOULDBLOCK else { throw .trouble(.held(node: node, by: []), .busy) }
            notes.append(.notExclusive(SystemError.last.name))
        }
        // TIOCEXCL keeps root out of nothing, so root has to ask. (The mark outlives its program on a pseudo terminal:
        // a holder must be there, too.)
        var exclusive: Int32 = 0
        if ioctl(descriptor, isExclusive, &exclusive) == 0, exclusive != 0 {
            let holders = NodeHolder.all(of: node)
            if !holders.isEmpty { throw .trouble(.held(node: node, by: holders), .busy) }
        }
        if ioctl(descriptor, UInt(TIOCEXCL)) != 0 { notes.append(.notExclusive(SystemError.last.name)) }
        return notes
    }

    private static func setUp(
        _ descriptor: Int32, _ node: String, _ settings: SerialSettings, _ options: SerialOpenOptions
    ) throws(Refusal) -> SerialSettings {
        do throws(SystemError) {
            var attributes = try TerminalAttributes(of: descriptor)
            attributes.makeRaw()
            attributes.set(settings, hangsUp: options.hangsUpOnClose)
            try attributes.apply(to: descriptor)
            if options.discardsInput { tcflush(descriptor, TCIFLUSH) }
            return try TerminalAttributes(of: descriptor).settings ?? settings
        } catch {
            if error.number == ENOTTY { throw .trouble(.noTerminal(node: node), .unsupported) }
            throw .system(error, during: "set the line")
        }
    }

    private static func refusal(_ error: SystemError, _ node: String) -> Refusal {
        switch error.code {
        case .busy: .trouble(.held(node: node, by: []), .busy)
        case .denied:
            NodeAccess.of(node).map { .trouble(.denied($0), .denied) } ?? .system(error, during: "open")
        default: .system(error, during: "open")
        }
    }
}
