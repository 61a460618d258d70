/// The firmware of an ID TECH NEO2 reader behind either of its links: commands in, answers out (interface guide
/// 80139403-002). The EMV is `FirmwareTerminal`'s. Not thread-safe: its owner holds a lock.
public final class NEO2Firmware {
    public enum Link: Sendable, Hashable {
        /// Messages in reports of 64 bytes.
        case hid
        /// Messages as they are.
        case stream
    }

    /// A transaction that waits for its card, or whose answer is still to come.
    struct Activation {
        var code: UInt8
        var isContact: Bool
        var until: Duration
        var fault: FrameFault?
    }

    public let terminal: FirmwareTerminal
    let options: NEO2Options
    let link: Link
    var plan = FaultPlan()
    var activation: Activation?
    /// The first step of a transaction that has just begun.
    var pending: TerminalStep?
    /// The step that 60-11 tells, or that 60-12 continues.
    var contactStep: TerminalStep?
    /// Status and data of the last transaction, for 03-40 and 60-13.
    var lastResult: (status: UInt8, data: [UInt8])?
    var configuration = TerminalObjects()
    var agenda = Agenda<SerialEffect>()

    init(_ options: NEO2Options, link: Link) {
        self.options = options
        self.link = link
        terminal = FirmwareTerminal(configuration: options.terminal)
        powerCycled()
    }

    /// Commands taken so far.
    public var commandsSeen: Int { plan.commandsSeen }

    var nextDue: Duration? { [agenda.nextDue, activation?.until].compactMap(\.self).min() }

    func advance(to now: Duration) -> [SerialEffect] {
        var effects = agenda.take(until: now)
        if let ended = activation, ended.until <= now {
            activation = nil
            terminal.cancel()
            effects += deliver(NEO2Message.response(ended.code, NEO2Status.timeout), ended.fault, at: now)
        }
        return effects
    }

    /// Volatile state is gone; burst mode is on until the host switches it off.
    func powerCycled() {
        terminal.cancel()
        activation = nil
        contactStep = nil
        lastResult = nil
        agenda = Agenda()
        configuration = TerminalObjects()
        configuration["DFEE7E"] = [0x01]
    }

    func handle(_ command: NEO2Message.Command, at now: Duration) -> [SerialEffect] {
        let fault = plan.next()
        if fault == .unplugBefore { return [.unplug] }
        guard command.isCheckRight else {
            return deliver(NEO2Message.response(command.code, NEO2Status.checkError), fault, at: now)
        }
        // While a transaction waits, every command cancels it.
        if activation != nil {
            activation = nil
            terminal.cancel()
        }
        guard let answer = execute(command, at: now) else {
            if fault == .unplugAfter { return deliver([], fault, at: now) }
            activation?.fault = fault
            return begun(at: now)
        }
        return deliver(answer, fault, at: now)
    }
}

/// Status bytes (section 3.5 of the guide).
enum NEO2Status {
    static let ok: UInt8 = 0x00
    static let unknownCommand: UInt8 = 0x02
    static let unknownSubCommand: UInt8 = 0x03
    static let checkError: UInt8 = 0x04
    static let badParameter: UInt8 = 0x05
    static let timeout: UInt8 = 0x08
    static let failed: UInt8 = 0x0A
    static let notAllowed: UInt8 = 0x0B
    static let userInterface: UInt8 = 0x0E
    static let online: UInt8 = 0x23
    static let interim: UInt8 = 0x63
}
