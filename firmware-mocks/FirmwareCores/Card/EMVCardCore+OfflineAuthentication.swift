extension EMVCardCore {
    /// INTERNAL AUTHENTICATE: signs what the terminal sends for DDA (EMV Book 2, 6.5.1). A card without a key does not
    /// know the command.
    func internalAuthenticate(_ command: CardCommand) -> CardReply {
        guard let application, let key = application.signingKey else { return .unknownInstruction }
        guard command.p1 == 0, command.p2 == 0 else { return .wrongParameters }
        guard stage == .initiated, application.interchangeProfile[0] & 0x20 != 0 else {
            return .conditionsNotSatisfied
        }
        guard command.expected != nil, !command.data.isEmpty else { return .wrongLength }
        let signature = sign([8] + random.bytes(8), terminalData: command.data, key)
        updateLog { $0.signatures += 1 }
        guard application.cryptogramFormat == 2 else { return CardReply(CardData.object([0x80], signature)) }
        return CardReply(CardData.object([0x77], CardData.object([0x9F, 0x4B], signature)))
    }

    /// The answer to GENERATE AC with the cryptogram in the signature (EMV Book 2, 6.6.1).
    /// - Parameter sent: everything the terminal sent for PDOL and CDOLs, in order.
    func signedReply(
        information: UInt8, count: [UInt8], cryptogram: [UInt8], applicationData: [UInt8], sent: [UInt8],
        _ key: CardRSAKey
    ) -> CardReply {
        let front = CardData.object([0x9F, 0x27], [information]) + CardData.object([0x9F, 0x36], count)
        let back = CardData.object([0x9F, 0x10], applicationData)
        var hash = CardSHA1.digest(sent + front + back)
        if profile.behaviour.signsWrongHash { hash[0] ^= 0x01 }
        let data = [8] + random.bytes(8) + [information] + cryptogram + hash
        let signature = sign(data, terminalData: terminalValues["9F37"] ?? [], key)
        updateLog { $0.signatures += 1 }
        return CardReply(CardData.object([0x77], front + CardData.object([0x9F, 0x4B], signature) + back))
    }

    /// Signed dynamic application data (EMV Book 2, table 15).
    private func sign(_ dynamicData: [UInt8], terminalData: [UInt8], _ key: CardRSAKey) -> [UInt8] {
        let head = [0x05, 0x01, UInt8(truncatingIfNeeded: dynamicData.count)] + dynamicData
        let message = head + [UInt8](repeating: 0xBB, count: max(0, key.size - 25 - dynamicData.count))
        return key.apply(to: [0x6A] + message + CardSHA1.digest(message + terminalData) + [0xBC])
    }

    /// The PIN block in an enciphered VERIFY (EMV Book 2, 7.2); nil when it is not one made for the last challenge.
    func decipheredPINBlock(_ data: [UInt8], _ key: CardRSAKey) -> [UInt8]? {
        guard let challenge else { return nil }
        let block = key.apply(to: data)
        guard block.count >= 17, block[0] == 0x7F, Array(block[9..<17]) == challenge else { return nil }
        return Array(block[1..<9])
    }
}
