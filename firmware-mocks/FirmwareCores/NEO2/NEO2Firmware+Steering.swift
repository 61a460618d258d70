extension NEO2Firmware {
    /// What `FirmwareTerminal.steer` knows, `fault …`, `faults clear`, `event TYPE VALUE` and `interim STATUS`.
    func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) {
        let words = command.split(separator: " ")
        switch words.first {
        case "fault", "faults":
            return (plan.steer(words), [])
        case "event" where words.count == 3:
            guard let type = UInt8(words[1], radix: 16), let value = UInt8(words[2], radix: 16) else {
                return ("an event is two bytes in hexadecimal", [])
            }
            return (nil, pieces(NEO2Message.event(type, value)).map(SerialEffect.bytes))
        case "interim" where words.count == 2:
            guard let activation, let status = UInt8(words[1], radix: 16) else {
                return ("an interim answer needs a transaction and a status", [])
            }
            return (nil, pieces(NEO2Message.response(activation.code, status)).map(SerialEffect.bytes))
        default:
            return cardSteered(command, at: now)
        }
    }

    private func cardSteered(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) {
        switch terminal.steer(command) {
        case .notUnderstood: return ("a NEO2 reader does not know: \(command)", [])
        case .complaint(let text): return (text, [])
        case .nothing, .cardRemoved: return (nil, [])
        case .cardPresented(let how):
            guard activation != nil else { return (nil, how == .swiped ? burst() : []) }
            return (nil, carryOn(terminal.proceed(), at: now))
        }
    }

    /// With burst mode on a swipe that nobody asked for is sent at once, outside the framing.
    private func burst() -> [SerialEffect] {
        guard configuration["DFEE7E"] == [0x01] else { return [] }
        let tracks: [UInt8] = Array("%*476173******0119^*?*;476173******0119=*?*".utf8)
        return pieces(tracks).map(SerialEffect.bytes)
    }
}
