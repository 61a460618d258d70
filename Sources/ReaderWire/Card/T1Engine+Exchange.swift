/// The beginning and the end of an exchange, and everything that is sent.
extension T1Engine {
    mutating func beginExchange() {
        if state != .idle { needsResynchronisation = true }
        endExchange()
    }

    mutating func endExchange() {
        state = .idle
        lastBlock = nil
        pendingBlock = nil
        command = []
        sentLength = 0
        answer = []
        tries = 0
        blockCount = 0
        extensionCount = 0
        hasResynchronised = false
        cardMayHaveCommand = false
    }

    mutating func setInitialValues() {
        sendSequence = 0
        receiveSequence = 0
        informationFieldSizeCard = initialInformationFieldSizeCard
    }

    mutating func complete(_ answer: [UInt8]) -> Action {
        endExchange()
        return .complete(answer)
    }

    mutating func fail(_ error: T1Error) -> Action {
        endExchange()
        needsResynchronisation = error != .answerLost
        return .fail(error)
    }

    mutating func transmit(_ kind: T1Block.Kind, information: [UInt8] = []) -> Action {
        transmit(T1Block(nodeAddress: nodeAddress, kind: kind, information: information))
    }

    /// Only the answer to a waiting time extension gives the card more time (ISO/IEC 7816-3, 11.6.2.3, rule 3).
    mutating func transmit(_ block: T1Block) -> Action {
        lastBlock = block
        var multiplier = 1
        if case .supervisory(.waitingTimeExtension, isResponse: true) = block.kind {
            multiplier = max(1, Int(block.information.first ?? 1))
        }
        return .send(block.bytes(errorDetection: errorDetection), waitingTimeMultiplier: multiplier)
    }

    /// The next I-block of the command, as long as the card allows (ISO/IEC 7816-3, 11.6.2.2).
    mutating func sendNextPart() -> Action {
        let end = min(command.count, sentLength + informationFieldSizeCard)
        let more = end < command.count
        let block = T1Block(
            nodeAddress: nodeAddress, kind: .information(sequence: sendSequence, more: more),
            information: Array(command[sentLength..<end]))
        state = .sending
        sentLength = end
        pendingBlock = block
        cardMayHaveCommand = !more
        return transmit(block)
    }

    mutating func sendPendingBlockAgain() -> Action {
        guard let pendingBlock else { return requestAgain(.otherError) }
        cardMayHaveCommand = sentLength == command.count
        return transmit(pendingBlock)
    }

    /// R-block with the number of the I-block that is due, after an error (ISO/IEC 7816-3, 11.6.3.2, rule 7.1).
    mutating func requestAgain(_ reception: T1Block.Reception) -> Action {
        transmit(.receiveReady(sequence: receiveSequence, reception))
    }

    /// Only the interface device may resynchronise (ISO/IEC 7816-3, 11.6.3.2, rule 6).
    mutating func startResynchronisation() -> Action {
        hasResynchronised = true
        state = .resynchronising
        tries = 0
        return transmit(.supervisory(.resynchronisation, isResponse: false))
    }
}
