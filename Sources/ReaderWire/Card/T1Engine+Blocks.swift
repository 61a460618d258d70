/// What a block of the card leads to, by the rules of ISO/IEC 7816-3, 11.6.2.3 and 11.6.3.2.
extension T1Engine {
    mutating func handle(_ block: T1Block) -> Action {
        switch (state, block.kind) {
        case (.negotiating, .supervisory(.informationFieldSize, isResponse: true)):
            guard block.information == lastBlock?.information else { return recover(.otherError) }
            return complete([])
        case (.resynchronising, .supervisory(.resynchronisation, isResponse: true)):
            return resynchronised()
        case (.negotiating, _), (.resynchronising, _):
            return recover(.otherError)
        case (_, .information(let sequence, let more)):
            return receiveInformation(sequence: sequence, more: more, block.information)
        case (_, .receiveReady(let sequence, let reception)):
            return receiveReady(sequence: sequence, reception)
        case (_, .supervisory(let supervision, isResponse: false)):
            return receiveRequest(supervision, block.information)
        case (_, .supervisory(_, isResponse: true)):
            return recover(.otherError)
        }
    }

    /// An I-block with the number expected also acknowledges the last I-block sent (rules 2.1 and 5).
    private mutating func receiveInformation(sequence: UInt8, more: Bool, _ part: [UInt8]) -> Action {
        guard sequence == receiveSequence, sentLength == command.count else { return recover(.otherError) }
        if pendingBlock != nil {
            pendingBlock = nil
            sendSequence ^= 1
        }
        guard part.count <= Self.maximumAnswerLength - answer.count else { return fail(.answerTooLong) }
        answer += part
        receiveSequence ^= 1
        tries = 0
        guard more else { return complete(answer) }
        state = .receiving
        return transmit(.receiveReady(sequence: receiveSequence, .errorFree))
    }

    /// Rules 2.2, 4 and 7.2: N(R) of the block that is out asks for it again, the other N(R) acknowledges it.
    private mutating func receiveReady(sequence: UInt8, _ reception: T1Block.Reception) -> Action {
        if isReply(lastBlock), reception != .errorFree { return sendLastBlockAgain() }
        guard pendingBlock != nil else { return sendLastBlockAgain() }
        if sequence == sendSequence {
            cardMayHaveCommand = false
            return tryAgain { engine in engine.sendPendingBlockAgain() }
        }
        if sentLength < command.count {
            sendSequence ^= 1
            tries = 0
            return sendNextPart()
        }
        // The card has the whole command, so an R-block can only ask for something that went out after it.
        return lastBlock == pendingBlock ? recover(.otherError) : sendLastBlockAgain()
    }

    /// Whether the block answers a request of the card.
    private func isReply(_ block: T1Block?) -> Bool {
        guard case .supervisory(_, isResponse: true) = block?.kind else { return false }
        return true
    }

    private mutating func sendLastBlockAgain() -> Action {
        tryAgain { engine in
            guard let lastBlock = engine.lastBlock else { return engine.requestAgain(.otherError) }
            return engine.transmit(lastBlock)
        }
    }

    /// Rules 3, 4 and 9.
    private mutating func receiveRequest(_ supervision: T1Block.Supervision, _ information: [UInt8]) -> Action {
        let value = Int(information.first ?? 0)
        switch supervision {
        case .resynchronisation:
            return recover(.otherError)
        case .abort:
            state = .aborting
            return transmit(.supervisory(.abort, isResponse: true))
        case .informationFieldSize:
            guard (1...254).contains(value) else { return recover(.otherError) }
            informationFieldSizeCard = value
            return transmit(.supervisory(supervision, isResponse: true), information: information)
        case .waitingTimeExtension:
            extensionCount += 1
            guard extensionCount <= Self.maximumWaitingTimeExtensions else {
                return fail(.tooManyWaitingTimeExtensions)
            }
            tries = 0
            return transmit(.supervisory(supervision, isResponse: true), information: information)
        }
    }

    /// An unusable block or none (rules 6 and 7).
    mutating func recover(_ reception: T1Block.Reception) -> Action {
        switch state {
        case .negotiating, .resynchronising: sendLastBlockAgain()
        case .idle, .sending, .receiving, .aborting: tryAgain { engine in engine.requestAgain(reception) }
        }
    }

    /// Rule 7.4: three tries, then a resynchronisation; one for each exchange.
    private mutating func tryAgain(_ transmission: (inout T1Engine) -> Action) -> Action {
        tries += 1
        if tries < Self.maximumTries { return transmission(&self) }
        if state == .negotiating {
            // Many cards know no S(IFS): the link is as good as before.
            endExchange()
            return .fail(.informationFieldSizeNotAgreed)
        }
        return hasResynchronised ? fail(.noAnswer) : startResynchronisation()
    }

    /// Both sides are as after a reset (rule 6.3). The command goes out again only when the card cannot have begun to
    /// carry it out: a payment command must not run twice.
    private mutating func resynchronised() -> Action {
        let mayRepeat = !cardMayHaveCommand && answer.isEmpty
        setInitialValues()
        needsResynchronisation = false
        guard mayRepeat else { return fail(.answerLost) }
        tries = 0
        sentLength = 0
        pendingBlock = nil
        return sendNextPart()
    }
}
