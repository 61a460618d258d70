extension CCIDReaderCore {
    private static let longestData = CCIDDescriptors.longestMessage - CCIDMessage.headerSize
    /// The longest extended APDU (ISO 7816-3, 12.1).
    private static let longestCommand = 65_544

    /// XfrBlock at the reader's level (CCID 1.1, 6.1.4).
    func transfer(_ message: CCIDMessage) -> CCIDReply {
        guard slot.isActive else { return refusal(of: message, CCIDError.cardMute) }
        guard message.data.count <= Self.longestData else { return refusal(of: message, CCIDError.badLength) }
        switch options.level {
        case .character:
            return refusal(of: message, CCIDError.notSupported)
        case .tpdu:
            guard !message.data.isEmpty else { return refusal(of: message, CCIDError.badLength) }
            return finish(message, slot.exchange(message.data))
        case .short:
            guard message.levelParameter == 0 else { return refusal(of: message, CCIDError.badSecondParameter) }
            guard message.data.count >= 4 else { return refusal(of: message, CCIDError.badLength) }
            return finish(message, run(message.data))
        case .extended:
            return transferInPieces(message)
        }
    }

    private func transferInPieces(_ message: CCIDMessage) -> CCIDReply {
        switch message.levelParameter {
        case 0x0000:
            slot.command = []
            return runCollected(message)
        case 0x0001:
            slot.command = message.data
            return answer(message, .dataBlock, last: 0x10)
        case 0x0002, 0x0003:
            guard !slot.command.isEmpty, slot.command.count + message.data.count <= Self.longestCommand else {
                slot.command = []
                return refusal(of: message, CCIDError.badSecondParameter)
            }
            guard message.levelParameter == 0x0003 else { return runCollected(message) }
            slot.command += message.data
            return answer(message, .dataBlock, last: 0x10)
        case 0x0010 where !slot.answer.isEmpty && message.data.isEmpty:
            return nextPiece(message, isFirst: false)
        default:
            return refusal(of: message, CCIDError.badSecondParameter)
        }
    }

    private func runCollected(_ message: CCIDMessage) -> CCIDReply {
        let command = slot.command + message.data
        slot.command = []
        guard command.count >= 4 else { return refusal(of: message, CCIDError.badLength) }
        return finish(message, run(command))
    }

    private func run(_ apdu: [UInt8]) -> [UInt8] {
        guard slot.selectedProtocol == 0 else { return slot.transmit(apdu) }
        return CCIDT0Procedure.run(apdu, exchange: slot.exchange)
    }

    private func finish(_ message: CCIDMessage, _ result: [UInt8]) -> CCIDReply {
        if slot.card?.wasPulled == true { card = slot.remove() ?? card }
        guard !result.isEmpty else { return refusal(of: message, CCIDError.cardMute) }
        slot.answer = result
        return nextPiece(message, isFirst: true)
    }

    /// bChainParameter: 00 the whole answer, 01 its begin, 03 a middle piece, 02 its end.
    private func nextPiece(_ message: CCIDMessage, isFirst: Bool) -> CCIDReply {
        let piece = Array(slot.answer.prefix(Self.longestData))
        slot.answer.removeFirst(piece.count)
        let chain: UInt8 = slot.answer.isEmpty ? (isFirst ? 0x00 : 0x02) : (isFirst ? 0x01 : 0x03)
        return answer(message, .dataBlock, piece, last: chain)
    }
}
