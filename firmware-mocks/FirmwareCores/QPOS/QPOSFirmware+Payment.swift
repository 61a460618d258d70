extension QPOSFirmware {
    /// 16-20: waits for a card. One that is in the slot is told at once.
    func startTrade(_ request: QPOSMessage.Request, at now: Duration) {
        guard let start = QPOSTradeStart(request.data) else { return finish(QPOSState.notAvailable, at: now) }
        isOnline = false
        tappedObjects = nil
        if terminal.presentation == .inserted {
            terminal.cancel()
            return finish(QPOSState.completed, [0x01], at: now)
        }
        exchange?.until = now + .seconds(Int(request.timeout))
        terminal.configuration.refusesChipStripe = !mayUseStripe
        let interfaces: Set<CardPresentation> = start.cardTradeMode == 0x07 ? [.tapped] : [.tapped, .swiped]
        carryOn(
            terminal.start(
                TerminalPayment(objects: start.objects, interfaces: interfaces, allowsFallback: false)),
            at: now)
    }

    /// 16-30: runs the chip.
    func startChip(_ request: QPOSMessage.Request, at now: Duration) {
        guard let start = QPOSChipStart(request.data), terminal.presentation == .inserted else {
            return finish(QPOSState.notAvailable, at: now)
        }
        tell(terminal.start(TerminalPayment(objects: start.objects, interfaces: [.inserted])), at: now)
    }

    /// 16-40: what the issuer said.
    func complete(_ request: QPOSMessage.Request, at now: Duration) {
        guard isOnline, let answer = TerminalObjects(parsing: request.data) else {
            return finish(QPOSState.notAvailable, at: now)
        }
        isOnline = false
        let isApproved = answer["8A"] == Array("00".utf8)
        let step = terminal.complete(answer)
        if case .declined(let result) = step, isApproved {
            // The card says no to what the issuer approved: a reversal.
            return finish(
                QPOSState.completed, QPOSResults.emv(0x02, 0x07, QPOSResults.objects(result)), at: now)
        }
        tell(step, at: now)
    }

    /// A step of a tapped or swiped card, while 16-20 is under way.
    func carryOn(_ step: TerminalStep, at now: Duration) {
        switch step {
        case .waiting(let prompt):
            if prompt == .useChip { exchange?.notice = QPOSState.stripeToChip }
        case .online(let result): finish(card: result, tapped: 0x03, at: now)
        case .approved(let result): finish(card: result, tapped: 0x04, at: now)
        case .declined(let result): finish(card: result, tapped: 0x05, at: now)
        case .choice: finish(QPOSState.tradeError, at: now)
        case .ended(let end): finish(Self.state(end), at: now)
        }
    }

    private func finish(card result: TerminalResult, tapped state: UInt8, at now: Duration) {
        mayUseStripe = false
        let isTapped = result.entry == .contactless
        if isTapped { tappedObjects = QPOSResults.objects(result) }
        finish(QPOSState.completed, QPOSResults.card(isTapped ? state : 0x00, result.account), at: now)
    }

    /// A step of an inserted card.
    func tell(_ step: TerminalStep, at now: Duration) {
        func finish(_ outcome: UInt8, _ kind: UInt8, _ result: TerminalResult) {
            mayUseStripe = false
            self.finish(
                QPOSState.completed, QPOSResults.emv(outcome, kind, QPOSResults.objects(result)), at: now)
        }
        switch step {
        case .waiting: self.finish(QPOSState.tradeError, at: now)
        case .choice(let labels):
            self.finish(QPOSState.completed, result: 0x02, QPOSResults.choice(labels), at: now)
        case .online(let result):
            isOnline = true
            finish(0x03, 0x06, result)
        case .approved(let result): finish(0x01, 0x03, result)
        case .declined(let result): finish(0x02, 0x05, result)
        case .ended(let end):
            if end == .chipUnreadable { mayUseStripe = true }
            self.finish(Self.state(end), at: now)
        }
    }

    private static func state(_ end: TerminalEnd) -> UInt8 {
        switch end {
        case .notAccepted, .cardBlocked, .applicationBlocked: QPOSState.noApplication
        case .chipUnreadable: QPOSState.fallback
        case .cardFault: QPOSState.tradeError
        case .cardRemoved: QPOSState.cardRemoved
        case .outOfTurn: QPOSState.notAvailable
        }
    }
}
