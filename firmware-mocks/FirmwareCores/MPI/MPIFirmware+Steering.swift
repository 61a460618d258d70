extension MPIFirmware {
    /// What `FirmwareTerminal.steer` knows, `fault …`, `faults clear`, `event TEXT` (a device status nobody asked for) and
    /// `press-cancel`.
    public func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) {
        let words = command.split(separator: " ")
        switch words.first {
        case "fault", "faults":
            return (plan.steer(words), [])
        case "event" where words.count >= 2:
            return (nil, event(status(words.dropFirst().joined(separator: " "))))
        case "press-cancel" where words.count == 1:
            guard let ended = waiting else { return ("the reader waits for nothing", []) }
            forget()
            return (nil, deliver(answer([], MPIStatus.cancelled), ended.fault, at: now))
        default:
            return cardSteered(command, at: now)
        }
    }

    private func cardSteered(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) {
        switch terminal.steer(command) {
        case .notUnderstood: return ("an MPI reader does not know: \(command)", [])
        case .complaint(let text): return (text, [])
        case .nothing: return (nil, [])
        case .cardRemoved: return (nil, tellsCardStatus ? event(cardStatus()) : [])
        case .cardPresented(let how):
            var effects: [SerialEffect] = []
            switch how {
            case .swiped: effects = swiped()
            case .inserted: effects = tellsCardStatus ? event(cardStatus()) : []
            case .tapped: break
            }
            guard let waiting, how == (waiting.isContactless ? .tapped : .inserted) else { return (nil, effects) }
            return (nil, effects + carryOn(terminal.proceed(), at: now))
        }
    }

    /// The stripe is told whether or not a payment waits, by a kernel of its own, so that the one that waits goes on.
    private func swiped() -> [SerialEffect] {
        guard let card = terminal.card else { return [] }
        terminal.takeAway()
        stripes.configuration = terminal.configuration
        stripes.swipedServiceCode = terminal.swipedServiceCode
        stripes.present(card, .swiped)
        let step = stripes.start(TerminalPayment(objects: TerminalObjects(), interfaces: [.swiped]))
        stripes.cancel()
        // Each reading has a key of its own.
        terminal.configuration.securing = stripes.configuration.securing
        guard tellsCardStatus, case .online(let result) = step else { return [] }
        return event(cardStatus(result))
    }
}
