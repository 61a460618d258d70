extension CCIDReaderCore {
    private static let failed: UInt8 = 0x40

    /// Carries out a command (CCID 1.1, 6.1).
    func execute(_ message: CCIDMessage) -> CCIDReply {
        guard message.slot == 0 else {
            var reply = refusal(of: message, CCIDError.noSuchSlot)
            reply.status = Self.failed | 0x02
            return reply
        }
        guard Int(message.statedLength) == message.data.count, hasRightLength(message) else {
            return refusal(of: message, CCIDError.badLength)
        }
        switch message.type {
        case 0x61: return setParameters(message)
        case 0x62: return powerOn(message)
        case 0x63:
            slot.powerOff()
            return slotStatus(message.sequence)
        case 0x65: return slotStatus(message.sequence)
        case 0x6C: return currentParameters(message)
        case 0x6D:
            slot.setDefaults()
            return currentParameters(message)
        case 0x6E:
            guard message.parameters[0] <= 1 else { return refusal(of: message, CCIDError.badFirstParameter) }
            isClockStopped = message.parameters[0] == 1
            return slotStatus(message.sequence)
        case 0x6F: return transfer(message)
        case 0x73:
            // The rates are fixed: the answer says what they are.
            let rates = CCIDDescriptors.double(CCIDDescriptors.clock) + CCIDDescriptors.double(CCIDDescriptors.dataRate)
            return answer(message, .dataRate, rates)
        default: return refusal(of: message, CCIDError.notSupported)
        }
    }

    func slotStatus(_ sequence: UInt8) -> CCIDReply {
        CCIDReply(
            kind: .slotStatus, slot: 0, sequence: sequence, status: slot.status, last: isClockStopped ? 1 : 0)
    }

    func answer(_ message: CCIDMessage, _ kind: CCIDReply.Kind, _ data: [UInt8] = [], last: UInt8 = 0) -> CCIDReply {
        CCIDReply(
            kind: kind, slot: message.slot, sequence: message.sequence, status: slot.status, last: last, data: data)
    }

    /// bmCommandStatus 1 with a reason, in the message type that belongs to the command.
    func refusal(of message: CCIDMessage, _ error: UInt8) -> CCIDReply {
        let kind: CCIDReply.Kind =
            switch message.type {
            case 0x62, 0x6F: .dataBlock
            case 0x61, 0x6C, 0x6D: .parameters
            case 0x73: .dataRate
            default: .slotStatus
            }
        return CCIDReply(
            kind: kind, slot: message.slot, sequence: message.sequence, status: Self.failed | slot.status,
            error: error)
    }

    private func hasRightLength(_ message: CCIDMessage) -> Bool {
        switch message.type {
        case 0x61: message.data.count == 5 || message.data.count == 7
        case 0x62, 0x63, 0x65, 0x6C, 0x6D, 0x6E: message.data.isEmpty
        case 0x73: message.data.count == 8
        default: true
        }
    }

    private func powerOn(_ message: CCIDMessage) -> CCIDReply {
        let selectsVoltage = options.featureBits & 0x08 != 0
        guard message.parameters[0] <= 3, selectsVoltage || message.parameters[0] > 0 else {
            return refusal(of: message, CCIDError.badFirstParameter)
        }
        guard let reset = slot.powerOn() else { return refusal(of: message, CCIDError.cardMute) }
        return answer(message, .dataBlock, reset)
    }

    private func currentParameters(_ message: CCIDMessage) -> CCIDReply {
        guard slot.isActive else { return refusal(of: message, CCIDError.cardMute) }
        return answer(message, .parameters, slot.parameters, last: slot.selectedProtocol)
    }

    private func setParameters(_ message: CCIDMessage) -> CCIDReply {
        guard slot.isActive else { return refusal(of: message, CCIDError.cardMute) }
        let number = message.parameters[0]
        guard number == slot.selectedProtocol, message.data.count == (number == 1 ? 7 : 5) else {
            return refusal(of: message, CCIDError.badFirstParameter)
        }
        slot.set(parameters: message.data)
        return currentParameters(message)
    }
}
