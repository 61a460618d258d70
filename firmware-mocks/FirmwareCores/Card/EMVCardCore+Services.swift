extension EMVCardCore {
    /// GET DATA (EMV Book 3, 6.5.7).
    func getData(_ command: CardCommand) -> CardReply {
        guard command.data.isEmpty, command.expected != nil else { return .wrongLength }
        guard application != nil else { return .conditionsNotSatisfied }
        let value: [UInt8]
        switch (command.p1, command.p2) {
        case (0x9F, 0x36): value = [UInt8(counter >> 8), UInt8(counter & 0xFF)]
        case (0x9F, 0x13): value = [UInt8(lastOnlineCounter >> 8), UInt8(lastOnlineCounter & 0xFF)]
        case (0x9F, 0x17): value = [pinTries]
        default: return .referenceNotFound
        }
        return CardReply(CardData.object([command.p1, command.p2], value))
    }

    /// GET CHALLENGE: eight bytes (EMV Book 3, 6.5.6).
    func getChallenge(_ command: CardCommand) -> CardReply {
        guard command.p1 == 0, command.p2 == 0 else { return .wrongParameters }
        guard command.data.isEmpty, command.expected == 0 || command.expected == 8 else { return .wrongLength }
        let bytes = random.bytes(8)
        challenge = bytes
        return CardReply(bytes)
    }

    /// VERIFY with a PIN block, plain or, on cards that have a key for it, enciphered (EMV Book 3, 6.5.12). Without data
    /// it asks for the tries left.
    func verify(_ command: CardCommand) -> CardReply {
        let key = command.p2 == 0x88 ? application?.pinKey : nil
        guard command.p1 == 0, command.p2 == 0x80 || key != nil else { return .wrongParameters }
        guard stage == .initiated, let application else { return .conditionsNotSatisfied }
        guard command.expected == nil, command.data.count == key?.size ?? 8 || command.data.isEmpty else {
            return .wrongLength
        }
        guard pinTries > 0 else { return CardReply(status: 0x6983) }
        if command.data.isEmpty { return CardReply(status: 0x63C0 | UInt16(pinTries)) }
        var block: [UInt8]? = command.data
        if let key {
            guard challenge != nil else { return .conditionsNotSatisfied }
            block = decipheredPINBlock(command.data, key)
            challenge = nil
        }
        let digits = application.pin + String(repeating: "F", count: 14)
        let length = String(application.pin.count, radix: 16)
        guard let block, hexadecimal(block) == "2" + length.uppercased() + digits.prefix(14) else {
            pinTries -= 1
            return CardReply(status: 0x63C0 | UInt16(pinTries))
        }
        pinTries = 3
        return CardReply()
    }

    /// Issuer script commands: the card checks the MAC and says that it did as told.
    func script(_ command: CardCommand) -> CardReply {
        let instructions: Set<UInt8> = [0x16, 0x18, 0x1E, 0x24, 0xDA, 0xDC]
        guard instructions.contains(command.instruction) else { return .unknownInstruction }
        guard stage == .online || stage == .ended, let application, firstType == .online else {
            return .conditionsNotSatisfied
        }
        let header = [
            command.class, command.instruction, command.p1, command.p2, UInt8(truncatingIfNeeded: command.data.count),
        ]
        guard command.expected == nil, command.data.count >= 8 else { return .wrongLength }
        guard
            application.cryptography.accepts(
                scriptHeader: header, data: command.data, cryptogram: firstCryptogram, counter: counter)
        else { return CardReply(status: 0x6988) }
        updateLog { $0.scriptCommands += 1 }
        return CardReply()
    }
}
