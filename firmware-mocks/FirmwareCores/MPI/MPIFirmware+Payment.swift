extension MPIFirmware {
    /// DE D1 and DE C1: begins a payment, and runs the card that is there.
    func start(_ command: MPIMessage.Command, _ fault: FrameFault?, at now: Duration) -> [SerialEffect] {
        guard let objects = request(command), objects["9F02"]?.count == 6 else {
            return deliver(answer([], MPIStatus.invalidData), fault, at: now)
        }
        let isContactless = command.code == 0xDEC1
        isOnline = false
        waiting = Waiting(isContactless: isContactless, fault: fault)
        let step = terminal.start(
            TerminalPayment(objects: objects, interfaces: [isContactless ? .tapped : .inserted], allowsFallback: false))
        if case .waiting = step { return event(status(isContactless ? "PRESENT CARD" : "INSERT CARD")) }
        return event(status("PROCESSING")) + carryOn(step, at: now)
    }

    /// DE D2: the issuer's answer, or the place of the chosen application in C0.
    func proceed(_ command: MPIMessage.Command, _ fault: FrameFault?, at now: Duration) -> [SerialEffect] {
        guard let objects = request(command) else {
            return deliver(answer([], MPIStatus.invalidData), fault, at: now)
        }
        if let choice = objects["C0"]?.first {
            return told(terminal.choose(Int(choice)), fault, at: now)
        }
        guard isOnline else { return deliver(answer([], MPIStatus.outOfTurn), fault, at: now) }
        isOnline = false
        return told(terminal.complete(objects), fault, at: now)
    }

    /// What a step of the kernel means for the transaction that waits.
    func carryOn(_ step: TerminalStep, at now: Duration) -> [SerialEffect] {
        guard let ended = waiting else { return [] }
        if case .waiting = step { return [] }
        waiting = nil
        return told(step, ended.fault, at: now)
    }

    private func told(_ step: TerminalStep, _ fault: FrameFault?, at now: Duration) -> [SerialEffect] {
        func done(_ template: UInt8, _ content: [UInt8]) -> [SerialEffect] {
            deliver(answer(CardData.object([template], content)), fault, at: now)
        }
        switch step {
        case .waiting: return []
        case .choice(let labels):
            return done(
                options.isVIPA ? 0xEA : 0xE2,
                labels.flatMap { CardData.object([0x61], CardData.object([0x50], Array($0.utf8))) })
        case .online(let result):
            isOnline = true
            return done(0xE4, MPIObjects.chip(result))
        case .approved(let result): return done(0xE3, MPIObjects.chip(result))
        case .declined(let result): return done(0xE5, MPIObjects.chip(result))
        case .ended(let end): return deliver(answer([], Self.status(end)), fault, at: now)
        }
    }

    private static func status(_ end: TerminalEnd) -> UInt16 {
        switch end {
        case .notAccepted, .cardBlocked, .applicationBlocked: MPIStatus.unsupportedCard
        case .cardFault, .chipUnreadable: MPIStatus.invalidCard
        case .cardRemoved: MPIStatus.noCard
        case .outOfTurn: MPIStatus.outOfTurn
        }
    }

    /// What is in E0.
    private func request(_ command: MPIMessage.Command) -> TerminalObjects? {
        TerminalObjects(parsing: command.data)?["E0"].flatMap(TerminalObjects.init(parsing:))
    }
}
