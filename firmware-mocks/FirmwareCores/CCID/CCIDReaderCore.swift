/// The firmware of a CCID reader with one slot (USB Device Class: Smart Card CCID, revision 1.1).
public final class CCIDReaderCore: FirmwareCore {
    public let descriptors: DeviceDescriptors
    /// Whole bulk messages that the reader has taken since it was made.
    public private(set) var framesSeen = 0
    /// The card in the slot, or the one that was last there.
    public internal(set) var card: EMVCardCore?

    let options: CCIDOptions
    let slot = CCIDSlot()
    var faults: [(frame: Int, fault: CCIDFault)] = []
    var random: SeededGenerator
    var chaos: CCIDChaos?
    var isClockStopped = false
    private var assembly: [UInt8] = []
    private var agenda = EffectAgenda()
    /// A reply is on the agenda: the slot is busy until then.
    private var busyUntil: Duration?
    private var abortedByControl: UInt8?
    private var abortedByBulk: UInt8?

    /// Options: `card` (profile name or `none`), `level` (short, extended, tpdu, character), `serial`, `vid`, `pid`
    /// (hexadecimal), `interrupt` (yes, no), `packet` (64, 512), `autovoltage`, `zlp`, `features` (hexadecimal
    /// dwFeatures), `seed`.
    public static func make(options words: [String: String]) throws(CoreOptionError) -> CCIDReaderCore {
        let options = try CCIDOptions(words)
        let core = CCIDReaderCore(options)
        if let name = options.card {
            guard let profile = CardProfile.named(name) else {
                throw CoreOptionError("card", "there is no card profile \(name)")
            }
            core.insert(EMVCardCore(profile: profile))
        }
        return core
    }

    private init(_ options: CCIDOptions) {
        self.options = options
        descriptors = CCIDDescriptors.make(options)
        random = SeededGenerator(seed: options.seed)
    }

    func insert(_ card: EMVCardCore) {
        self.card = card
        slot.insert(card)
    }

    // MARK: FirmwareCore

    public func out(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> [FirmwareEffect] {
        guard endpoint == CCIDDescriptors.bulkOut else { return [] }
        assembly += bytes
        guard assembly.count >= CCIDMessage.headerSize else {
            assembly = []
            return []
        }
        let announced = CCIDMessage.headerSize + Int(CCIDMessage.length(in: assembly))
        let mayContinue = !bytes.isEmpty && bytes.count % options.packetSize == 0
        if assembly.count < announced, mayContinue, announced <= CCIDDescriptors.longestMessage { return [] }
        defer { assembly = [] }
        guard let message = CCIDMessage(assembly) else { return [] }
        framesSeen += 1
        return handle(message, at: now)
    }

    public func control(_ setup: SetupPacket, data: [UInt8], at now: Duration) -> (
        reply: ControlReply, effects: [FirmwareEffect]
    ) {
        switch (setup.requestType, setup.request) {
        case (0x21, 0x01):
            return abort(slot: UInt8(setup.value & 0xFF), sequence: UInt8(setup.value >> 8))
        case (0xA1, 0x02):
            return (.data(CCIDDescriptors.double(CCIDDescriptors.clock)), [])
        case (0xA1, 0x03):
            return (.data(CCIDDescriptors.double(CCIDDescriptors.dataRate)), [])
        default:
            return (.stall, [])
        }
    }

    public var nextDue: Duration? { agenda.nextDue }

    public func advance(to now: Duration) -> [FirmwareEffect] {
        let due = agenda.take(until: now)
        if let end = busyUntil, end <= now { busyUntil = nil }
        return due
    }

    public func haltCleared(on endpoint: UInt8) {}

    public func powerCycled() {
        slot.powerOff()
        assembly = []
        agenda = EffectAgenda()
        busyUntil = nil
        abortedByControl = nil
        abortedByBulk = nil
        isClockStopped = false
    }

    // MARK: Commands

    private func handle(_ message: CCIDMessage, at now: Duration) -> [FirmwareEffect] {
        let fault = takeFault()
        if fault == .unplugBefore { return [.unplug] }
        if message.type == 0x72, message.slot == 0 { return abortByBulk(message) }
        if abortedByControl != nil { return [data(refusal(of: message, CCIDError.aborted).bytes)] }
        if busyUntil != nil { return [data(refusal(of: message, CCIDError.slotBusy).bytes)] }
        let wasPresent = slot.card != nil
        if fault == .cardRemoved { card = slot.remove() ?? card }
        let reply = execute(message)
        if slot.card?.wasPulled == true { card = slot.remove() ?? card }
        var effects = deliver(reply, fault ?? slowness(message), at: now)
        if wasPresent, slot.card == nil { effects += slotChange() }
        return effects
    }

    private func takeFault() -> CCIDFault? {
        guard let index = faults.firstIndex(where: { $0.frame == framesSeen }) else { return chaos?.next() }
        return faults.remove(at: index).fault
    }

    /// A card that thinks makes the reader ask for time.
    private func slowness(_ message: CCIDMessage) -> CCIDFault? {
        guard message.type == 0x6F, slot.isActive, let delay = slot.card?.profile.behaviour.delay, delay > .zero else {
            return nil
        }
        return .timeExtension(Int(delay / Self.extensionInterval))
    }

    /// NotifySlotChange (CCID 1.1, 6.3.1): present and changed bits of slot 0.
    func slotChange() -> [FirmwareEffect] {
        guard options.hasInterrupt else { return [] }
        let state: UInt8 = slot.card == nil ? 0x02 : 0x03
        return [.data(endpoint: CCIDDescriptors.interruptIn, bytes: [0x50, state], zeroLengthPacket: false)]
    }

    /// An answer that the host can take now.
    func data(_ bytes: [UInt8]) -> FirmwareEffect {
        .data(endpoint: CCIDDescriptors.bulkIn, bytes: bytes, zeroLengthPacket: options.endsWithEmptyPacket)
    }

    func schedule(_ effect: FirmwareEffect, at due: Duration) {
        agenda.add(effect, at: due)
    }

    func schedule(answer bytes: [UInt8], at due: Duration) {
        agenda.add(data(bytes), at: due)
        busyUntil = due
    }

    // MARK: Abort (CCID 1.1, 5.3.1 and 6.1.13): the control request and the bulk message may come in either order.

    private func abort(slot number: UInt8, sequence: UInt8) -> (reply: ControlReply, effects: [FirmwareEffect]) {
        guard number == 0 else { return (.stall, []) }
        agenda.removeData(on: CCIDDescriptors.bulkIn)
        busyUntil = nil
        guard abortedByBulk == sequence else {
            abortedByControl = sequence
            return (.accepted, [])
        }
        abortedByBulk = nil
        return (.accepted, [data(slotStatus(sequence).bytes)])
    }

    private func abortByBulk(_ message: CCIDMessage) -> [FirmwareEffect] {
        guard message.statedLength == 0, message.data.isEmpty else {
            return [data(refusal(of: message, CCIDError.badLength).bytes)]
        }
        guard abortedByControl == message.sequence else {
            abortedByBulk = message.sequence
            return []
        }
        abortedByControl = nil
        slot.command = []
        slot.answer = []
        return [data(slotStatus(message.sequence).bytes)]
    }
}
