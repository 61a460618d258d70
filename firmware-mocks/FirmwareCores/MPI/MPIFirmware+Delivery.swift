extension MPIFirmware {
    func answer(_ data: [UInt8], _ status: UInt16 = MPIStatus.success) -> [UInt8] {
        data + [UInt8(status >> 8), UInt8(status & 0xFF)]
    }

    /// Hands an answer to the host, or does what the fault says instead.
    func deliver(_ message: [UInt8], _ fault: FrameFault?, at now: Duration) -> [SerialEffect] {
        let delivery = FrameDelivery(
            noise: [0x00, 0xFF, 0x01, 0x80], unsolicited: unsolicited(status("PLEASE WAIT")).flatMap(\.self),
            hostileLength: [0x01, 0x00, 0xFE] + message.prefix(8))
        let frames = message.isEmpty ? [] : MPIMessage.packets(message, partLength: options.partLength)
        return delivery.effects(
            frames, fault, stale: MPIMessage.packets(answer([])).flatMap(\.self), at: now, &agenda)
    }

    /// The packets of a message that nobody asked for.
    func unsolicited(_ data: [UInt8]) -> [[UInt8]] {
        MPIMessage.packets(answer(data), isUnsolicited: true, partLength: options.partLength)
    }

    func event(_ data: [UInt8]) -> [SerialEffect] { [.bytes(unsolicited(data).flatMap(\.self))] }

    /// E6: a text in C4.
    func status(_ text: String) -> [UInt8] {
        CardData.object([0xE6], CardData.object([0xC4], Array(text.utf8)))
    }

    /// E1 with 48: whether a card is in the slot and answers, and which tracks were read.
    func cardStatus(_ tracks: TerminalResult? = nil) -> [UInt8] {
        let isInserted = terminal.presentation == .inserted && terminal.card != nil
        let answers = isInserted && terminal.card?.profile.behaviour.isMute == false
        var content = CardData.object(
            [0x48], [(isInserted ? 0x01 : 0) | (answers ? 0x02 : 0), tracks == nil ? 0x00 : 0x07])
        if let tracks { content += MPIObjects.stripe(tracks) }
        return CardData.object([0xE1], content)
    }
}
