extension FirmwareTerminal {
    private static let approvals = ["00", "08", "10", "11"].map { Array($0.utf8) }

    /// What the issuer said: 8A, and for an inserted card 91, 71 and 72.
    ///
    /// An inserted card gives its last cryptogram, which decides. A tapped or swiped one has gone: 8A decides.
    public func complete(_ answer: TerminalObjects) -> TerminalStep {
        guard stage == .online else { return .ended(.outOfTurn) }
        let code = answer["8A"] ?? Array("Z3".utf8)
        objects["8A"] = code
        let isApproved = Self.approvals.contains(code)
        guard entry == .contact else {
            let tags = entry == .contactless ? Self.resultTags : ["9F02", "9F03", "9A", "9C", "9F21", "5F2A"]
            return end(isApproved ? .approved(result(tags)) : .declined(result(tags)))
        }
        guard let card else { return end(.ended(.cardRemoved)) }
        objects["91"] = answer["91"]
        if let authentication = answer["91"], (objects["82"]?.first ?? 0) & 0x04 != 0 {
            guard send([0x00, 0x82, 0x00, 0x00], authentication, expectsData: false, to: card) != nil else {
                return fault(card)
            }
            set(status: 0, 0x10)
            if status != 0x9000 { set(results: 4, 0x40) }
        }
        guard run(scripts: answer.all("71"), failure: 0x20, card) else { return fault(card) }
        guard let list = CardData.list(objects["8D"] ?? []),
            let reply = send(
                [0x80, 0xAE, isApproved ? 0x40 : 0x00, 0x00], objects.data(for: list), to: card),
            status == 0x9000, readCryptogram(reply)
        else { return fault(card) }
        guard run(scripts: answer.all("72"), failure: 0x10, card) else { return fault(card) }
        let isTransactionCertificate = (objects["9F27"]?.first ?? 0) & 0xC0 == 0x40
        return end(isTransactionCertificate ? .approved(result(Self.resultTags)) : .declined(result(Self.resultTags)))
    }

    /// Commands of issuer scripts (EMV Book 3, 10.10), each in its 86; the first that fails ends its script. False when
    /// the card stops answering.
    private func run(scripts: [[UInt8]], failure: UInt8, _ card: EMVCardCore) -> Bool {
        for script in scripts {
            guard let parts = TerminalObjects(parsing: script) else {
                set(results: 4, failure)
                continue
            }
            var outcome: UInt8 = 0x20
            for (index, command) in parts.all("86").enumerated() where outcome == 0x20 {
                let reply = card.transmit(command)
                guard reply.count >= 2 else { return false }
                status = UInt16(reply[reply.count - 2]) << 8 | UInt16(reply[reply.count - 1])
                let isWarning = [0x62, 0x63].contains(status >> 8)
                if status != 0x9000, !isWarning {
                    outcome = 0x10 | UInt8(min(index + 1, 15))
                    set(results: 4, failure)
                }
            }
            set(status: 0, 0x04)
            let identifier = parts["9F18"] ?? []
            let filled = [UInt8](repeating: 0, count: max(0, 4 - identifier.count)) + identifier.prefix(4)
            objects["9F5B"] = (objects["9F5B"] ?? []) + [outcome] + filled
        }
        return true
    }

    /// Bits of 9B and of 95.
    private func set(status byte: Int, _ bits: UInt8) {
        var value = objects["9B"] ?? [0, 0]
        value[byte] |= bits
        objects["9B"] = value
    }

    private func set(results byte: Int, _ bits: UInt8) {
        var value = objects["95"] ?? [0, 0, 0, 0, 0]
        value[byte] |= bits
        objects["95"] = value
    }
}
