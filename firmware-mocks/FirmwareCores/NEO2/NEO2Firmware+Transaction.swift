extension NEO2Firmware {
    /// After a transaction has begun: goes on if its card was there already.
    func begun(at now: Duration) -> [SerialEffect] {
        var effects: [SerialEffect] = []
        if options.isChatty { effects += pieces(NEO2Message.event(0x01, 0x11)).map(SerialEffect.bytes) }
        guard let step = pending else { return effects }
        pending = nil
        return effects + carryOn(step, at: now)
    }

    /// What a step of the kernel means for the transaction under way.
    func carryOn(_ step: TerminalStep, at now: Duration) -> [SerialEffect] {
        guard let activation else { return [] }
        if case .waiting(let prompt) = step {
            // The chip could not be read: the person must be told to swipe.
            guard prompt == .useStripe else { return [] }
            return pieces(NEO2Message.response(activation.code, NEO2Status.userInterface)).map(SerialEffect.bytes)
        }
        self.activation = nil
        var effects: [SerialEffect] = []
        if options.isChatty {
            let interim = [
                NEO2Message.response(activation.code, NEO2Status.userInterface),
                NEO2Message.event(0x01, 0x10), NEO2Message.response(activation.code, NEO2Status.interim),
            ]
            effects += interim.flatMap(pieces).map(SerialEffect.bytes)
        }
        let (status, data) = told(step)
        var answer = (status, data)
        if activation.isContact {
            answer = startedContact(step) ?? answer
        } else {
            lastResult = answer
        }
        return effects
            + deliver(NEO2Message.response(activation.code, answer.0, answer.1), activation.fault, at: now)
    }

    /// What 60-10 tells: that the card was read, and of which application. Nil when the step itself is its answer: a
    /// stripe, or a card that never came so far.
    private func startedContact(_ step: TerminalStep) -> (UInt8, [UInt8])? {
        let result: TerminalResult? =
            switch step {
            case .online(let result), .approved(let result), .declined(let result): result
            case .waiting, .choice, .ended: nil
            }
        if let result {
            guard result.entry == .contact else {
                lastResult = told(step)
                return nil
            }
            contactStep = step
            return (NEO2Status.ok, result.objects.chosen(["4F", "50"]).bytes)
        }
        switch step {
        case .ended(.cardRemoved), .ended(.cardFault):
            contactStep = step
            return (NEO2Status.ok, [])
        default:
            return nil
        }
    }

    /// Status and data of a result (section 3.6 of the fact sheet; what it does not say is this mock's own choice).
    func told(_ step: TerminalStep) -> (status: UInt8, data: [UInt8]) {
        switch step {
        case .online(let result):
            let isStripe = result.entry == .stripe || result.entry == .fallback
            return (isStripe ? NEO2Status.ok : NEO2Status.online, data(of: result))
        case .approved(let result): return (NEO2Status.ok, data(of: result))
        case .declined(let result): return (NEO2Status.failed, data(of: result))
        case .waiting, .choice: return (NEO2Status.notAllowed, [])
        case .ended(let end):
            let word: UInt16 =
                switch end {
                case .notAccepted: 0x6A82
                case .cardBlocked: 0x6A81
                case .applicationBlocked: 0x6283
                case .cardFault(let status): status == 0 ? 0x6F00 : status
                case .chipUnreadable, .cardRemoved: 0x0000
                case .outOfTurn: 0x6985
                }
            let failure = [0x0A, UInt8(word >> 8), UInt8(word & 0xFF), 0x00]
            return (NEO2Status.failed, CardData.object([0xFF, 0xEE, 0x1F], failure))
        }
    }

    private func data(of result: TerminalResult) -> [UInt8] {
        let account = result.account
        let isStripe = result.entry == .stripe || result.entry == .fallback
        let isSecured = options.securing != .clear
        let interface: UInt8 =
            switch result.entry {
            case .contact: 0x00
            case .contactless: 0x01
            case .stripe, .fallback: 0x08
            }
        var data: [UInt8] = isSecured ? [0xE0 | interface] : []
        func add(_ tag: [UInt8], _ value: [UInt8]) { data += CardData.object(tag, value) }
        if isStripe {
            add([0xDF, 0xEE, 0x25], [0x00, 0x11])
            add([0xDF, 0xEE, 0x23], NEO2Tracks.block(account, serial: options.serial))
        } else {
            add([0x57], account.shown.track2Equivalent)
            add([0x5A], account.shown.accountNumber)
            if let encrypted = account.encrypted {
                add([0x57], encrypted.track2Equivalent)
                add([0x5A], encrypted.accountNumber)
            }
            if let serial = account.keySerialNumber { add([0xDF, 0xEE, 0x12], serial) }
            add([0x5F, 0x20], account.cardholderName)
            data += result.objects.bytes
        }
        add([0x9F, 0x39], [result.entry.posEntryMode])
        add([0xFF, 0xEE, 0x01], CardData.object([0xDF, 0xEE, 0x30], [isStripe ? 0x0C : 0x00]))
        if isSecured { add([0xDF, 0xEE, 0x26], [0xE0 | interface, 0x00]) }
        if isStripe { data += result.objects.bytes }
        return data
    }
}
