/// The firmware of a DSpread QPOS reader on a byte stream, as far as the vendor's public host code tells it. The host asks
/// for each frame: by a command, by a query after 23, by NEXT PART after 36. The EMV is `FirmwareTerminal`'s.
public final class QPOSFirmware: SerialFirmware {
    /// A command whose last frame has not gone out yet.
    struct Exchange {
        var code: UInt8
        var subCode: UInt8
        /// Frames 23 that come before the result; `Int.max` never ends.
        var busyLeft = 0
        /// The result in parts; empty while it is not there.
        var frames: [[UInt8]] = []
        /// What the next 23 says instead, once.
        var notice: UInt8?
        /// The host waits for a frame; this is what goes wrong with it.
        var isAsked = true
        var fault: FrameFault?
        /// When the wait for a card is over.
        var until: Duration?
        /// When a held query is answered with 23.
        var busyAt: Duration?
    }

    /// A frame whose end does not come is forgotten after this time.
    static let byteTimeout = Duration.milliseconds(500)

    public let terminal: FirmwareTerminal
    let options: QPOSOptions
    var plan = FaultPlan()
    var exchange: Exchange?
    /// Of the last command taken: an answer to a cancel bears its code.
    var lastCommand: (code: UInt8, subCode: UInt8)?
    var busyCount: Int
    /// The card of the payment that waits for the issuer's answer.
    var isOnline = false
    /// What 16-51 tells.
    var tappedObjects: [UInt8]?
    /// The chip could not be read: the next stripe is taken.
    var mayUseStripe = false
    /// By 16-60, for bare commands.
    var isChipPowered = false
    /// The id of the next result, whatever it would be.
    var forcedState: UInt8?
    var agenda = Agenda<SerialEffect>()
    private var waiting: [UInt8] = []
    private var lastByteAt = Duration.zero

    /// Options: `card`, `entry` (inserted, tapped, swiped), `sred` (clear, tdes, masked), `busy` (frames 23 before each
    /// answer), `part` (bytes), `hold` (milliseconds), `eager`, `firmware`, `serial`.
    public static func make(options words: [String: String] = [:]) throws(CoreOptionError) -> QPOSFirmware {
        let options = try QPOSOptions(words)
        let firmware = QPOSFirmware(options)
        if let name = options.card {
            guard let profile = CardProfile.named(name) else {
                throw CoreOptionError("card", "there is no card profile \(name)")
            }
            firmware.terminal.present(EMVCardCore(profile: profile), options.entry)
        }
        return firmware
    }

    private init(_ options: QPOSOptions) {
        self.options = options
        busyCount = options.busyCount
        terminal = FirmwareTerminal(configuration: options.terminal)
    }

    /// Requests taken so far: commands, queries, next parts, cancels, resets.
    public var requestsSeen: Int { plan.commandsSeen }

    public func receive(_ bytes: [UInt8], at now: Duration) -> [SerialEffect] {
        if now - lastByteAt > Self.byteTimeout { waiting = [] }
        lastByteAt = now
        waiting += bytes
        var effects: [SerialEffect] = []
        while let request = QPOSMessage.takeRequest(from: &waiting) { effects += handle(request, at: now) }
        return effects
    }

    public var nextDue: Duration? {
        [agenda.nextDue, exchange?.until, exchange?.busyAt].compactMap(\.self).min()
    }

    public func advance(to now: Duration) -> [SerialEffect] {
        var effects = agenda.take(until: now)
        if let until = exchange?.until, until <= now {
            terminal.cancel()
            finish(QPOSState.timeout, at: now)
            effects += told(at: now)
        }
        if let busyAt = exchange?.busyAt, busyAt <= now {
            exchange?.busyAt = nil
            effects += tellBusy(at: now)
        }
        return effects
    }

    public func powerCycled() {
        forget()
        waiting = []
        mayUseStripe = false
    }

    /// The payment and what was to be told of it.
    func forget() {
        terminal.cancel()
        exchange = nil
        isOnline = false
        tappedObjects = nil
        isChipPowered = false
        agenda = Agenda()
    }

    private func handle(_ request: QPOSMessage.Request, at now: Duration) -> [SerialEffect] {
        let fault = plan.next()
        if fault == .unplugBefore { return [.unplug] }
        guard request.isCheckRight else {
            let code = exchange?.code ?? request.code
            return deliver(
                QPOSMessage.frame(QPOSState.checkError, code, exchange?.subCode ?? request.subCode), fault, at: now)
        }
        switch request.id {
        case 0x20:
            forget()
            return deliver(QPOSMessage.frame(QPOSState.completed, 0, 0), fault, at: now)
        case 0x21:
            exchange = Exchange(
                code: request.code, subCode: request.subCode, busyLeft: busyCount, fault: fault)
            lastCommand = (request.code, request.subCode)
            execute(request, at: now)
            return respond(at: now)
        case 0x22, 0x36:
            guard exchange != nil else { return deliver([], fault, at: now) }
            exchange?.isAsked = true
            exchange?.fault = fault
            return respond(at: now, mayHold: request.id == 0x22)
        case 0x28:
            return cancel(fault, at: now)
        default:
            return deliver([], fault, at: now)
        }
    }

    /// What is decided stays decided; everything else ends with 28.
    private func cancel(_ fault: FrameFault?, at now: Duration) -> [SerialEffect] {
        if exchange == nil || exchange?.frames.isEmpty == true {
            terminal.cancel()
            isOnline = false
            finish(QPOSState.userCancel, at: now)
        }
        guard exchange != nil else {
            let (code, subCode) = lastCommand ?? (0, 0)
            let id = lastCommand == nil ? QPOSState.completed : QPOSState.userCancel
            return deliver(QPOSMessage.frame(id, code, subCode), fault, at: now)
        }
        exchange?.busyLeft = 0
        exchange?.isAsked = true
        exchange?.fault = fault
        return respond(at: now)
    }
}
