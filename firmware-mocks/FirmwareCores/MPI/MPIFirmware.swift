/// The firmware of a Miura MPI or Verifone VIPA reader on a byte stream. Answers and messages that nobody asked for travel
/// in packets of their own chains. The EMV is `FirmwareTerminal`'s.
public final class MPIFirmware: SerialFirmware {
    /// A transaction that waits for its card.
    struct Waiting {
        var isContactless: Bool
        var fault: FrameFault?
    }

    /// A packet whose end does not come is forgotten after this time, and an open chain with it.
    static let byteTimeout = Duration.milliseconds(500)

    public let terminal: FirmwareTerminal
    /// Reads stripes, also while the other one waits for a card.
    let stripes = FirmwareTerminal()
    let options: MPIOptions
    var plan = FaultPlan()
    var waiting: Waiting?
    /// An ARQC was told.
    var isOnline = false
    var tellsCardStatus = false
    var agenda = Agenda<SerialEffect>()
    private var bytes: [UInt8] = []
    private var chain: [UInt8] = []
    private var lastByteAt = Duration.zero

    /// Options: `card`, `entry` (inserted, tapped, swiped), `sred` (clear, tdes, masked), `part` (bytes), `abort` (abort,
    /// transaction, both), `vipa`, `card-status`, `firmware`, `serial`.
    public static func make(options words: [String: String] = [:]) throws(CoreOptionError) -> MPIFirmware {
        let options = try MPIOptions(words)
        let firmware = MPIFirmware(options)
        if let name = options.card {
            guard let profile = CardProfile.named(name) else {
                throw CoreOptionError("card", "there is no card profile \(name)")
            }
            firmware.terminal.present(EMVCardCore(profile: profile), options.entry)
        }
        return firmware
    }

    private init(_ options: MPIOptions) {
        self.options = options
        terminal = FirmwareTerminal(configuration: options.terminal)
        powerCycled()
    }

    /// Commands taken so far.
    public var commandsSeen: Int { plan.commandsSeen }

    public func receive(_ received: [UInt8], at now: Duration) -> [SerialEffect] {
        if now - lastByteAt > Self.byteTimeout {
            bytes = []
            chain = []
        }
        lastByteAt = now
        bytes += received
        var effects: [SerialEffect] = []
        while let packet = MPIMessage.takePacket(from: &bytes) {
            chain += packet.part
            guard chain.count <= MPIMessage.longestMessage else {
                chain = []
                continue
            }
            guard !packet.isChained else { continue }
            let message = chain
            chain = []
            effects += handle(message, at: now)
        }
        return effects
    }

    public var nextDue: Duration? { agenda.nextDue }

    public func advance(to now: Duration) -> [SerialEffect] { agenda.take(until: now) }

    public func powerCycled() {
        forget()
        agenda = Agenda()
        tellsCardStatus = false
        bytes = []
        chain = []
        if options.isVIPA { agenda.add(.bytes(unsolicited(status("POWERED ON")).flatMap(\.self)), at: .zero) }
    }

    /// The payment.
    func forget() {
        terminal.cancel()
        waiting = nil
        isOnline = false
    }

    private func handle(_ message: [UInt8], at now: Duration) -> [SerialEffect] {
        let fault = plan.next()
        if fault == .unplugBefore { return [.unplug] }
        guard let command = MPIMessage.Command(message) else {
            return deliver(answer([], MPIStatus.invalidData), fault, at: now)
        }
        return execute(command, fault, at: now)
    }
}
