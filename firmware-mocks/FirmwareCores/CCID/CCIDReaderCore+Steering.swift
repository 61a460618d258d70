extension CCIDReaderCore {
    private static let mostFaults = 256

    /// `remove`, `insert [PROFILE]`, `mute`, `pull MOMENT`, `fault N|next NAME [NUMBER]`, `chaos SEED PERCENT`,
    /// `faults clear`, `wtx N`, `hardware-error`.
    public func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [FirmwareEffect]) {
        let words = command.split(separator: " ")
        switch words.first {
        case "remove" where words.count == 1:
            guard let removed = slot.remove() else { return ("there is no card in the slot", []) }
            card = removed
            return (nil, slotChange())
        case "insert" where words.count <= 2:
            return insert(named: words.count == 2 ? String(words[1]) : nil)
        case "mute" where words.count == 1:
            slot.isMute = true
            return (nil, [])
        case "pull" where words.count == 2:
            guard let moment = CardBehaviour.Moment(String(words[1])) else {
                return ("a moment is a command number, gpo, first-ac or second-ac", [])
            }
            card?.pulled = moment
            return (nil, [])
        case "fault" where words.count >= 3:
            return (arm(words), [])
        case "faults" where words == ["faults", "clear"]:
            faults = []
            chaos = nil
            return (nil, [])
        case "chaos" where words.count == 3:
            guard let seed = UInt64(words[1]), let percent = UInt64(words[2]), percent <= 100 else {
                return ("chaos needs a seed and a percentage", [])
            }
            chaos = CCIDChaos(seed: seed, percent: percent)
            return (nil, [])
        case "wtx" where words.count == 2:
            return (askForTime(Int(words[1]) ?? 0), [])
        case "hardware-error" where options.hasInterrupt:
            let notice: [UInt8] = [0x51, 0x00, 0x00, 0x01]
            return (nil, [.data(endpoint: CCIDDescriptors.interruptIn, bytes: notice, zeroLengthPacket: false)])
        default:
            return ("a CCID reader does not know: \(command)", [])
        }
    }

    private func insert(named name: String?) -> (complaint: String?, effects: [FirmwareEffect]) {
        guard slot.card == nil else { return ("there is a card in the slot already", []) }
        if let name {
            guard let profile = CardProfile.named(name) else { return ("there is no card profile \(name)", []) }
            insert(EMVCardCore(profile: profile))
        } else {
            guard let card else { return ("say which card", []) }
            insert(card)
        }
        return (nil, slotChange())
    }

    private func arm(_ words: [Substring]) -> String? {
        guard let offset = words[1] == "next" ? 1 : Int(words[1]), (1...1_000_000).contains(offset) else {
            return "a fault needs `next` or the number of the command it hits, from 1"
        }
        guard let fault = CCIDFault(words: Array(words.dropFirst(2))) else {
            return "a fault is one of: \(CCIDFault.names)"
        }
        guard faults.count < Self.mostFaults else { return "too many faults are waiting" }
        faults.append((framesSeen + offset, fault))
        return nil
    }

    /// At TPDU level the card itself asks, with S(WTX) blocks; above it the reader does, with time extensions.
    private func askForTime(_ count: Int) -> String? {
        guard (1...1000).contains(count) else { return "say how many times, from 1 to 1000" }
        if options.level == .tpdu {
            guard let link = slot.tpduT1 else { return "there is no card in the slot" }
            link.extensions = count
        } else {
            faults.append((framesSeen + 1, .timeExtension(count)))
        }
        return nil
    }
}
