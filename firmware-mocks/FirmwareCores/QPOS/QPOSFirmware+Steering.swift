extension QPOSFirmware {
    /// What `FirmwareTerminal.steer` knows, `fault …`, `faults clear`, `busy COUNT|endless`, `answer ID` (the next result
    /// has this id, in hexadecimal), `notice ID` (a 23 says this instead, once) and `press-cancel`.
    public func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) {
        let words = command.split(separator: " ")
        switch words.first {
        case "fault", "faults":
            return (plan.steer(words), [])
        case "busy" where words.count == 2:
            guard let count = words[1] == "endless" ? Int.max : Int(words[1]), count >= 0 else {
                return ("busy needs a count, or `endless`", [])
            }
            busyCount = count
            return (nil, [])
        case "answer" where words.count == 2:
            guard let id = UInt8(words[1], radix: 16) else { return ("an id is a byte in hexadecimal", []) }
            forcedState = id
            return (nil, [])
        case "notice" where words.count == 2:
            guard let id = UInt8(words[1], radix: 16) else { return ("an id is a byte in hexadecimal", []) }
            guard exchange != nil else { return ("no command is under way", []) }
            exchange?.notice = id
            return (nil, told(at: now))
        case "press-cancel" where words.count == 1:
            guard exchange?.until != nil else { return ("the reader waits for nothing", []) }
            terminal.cancel()
            finish(QPOSState.userCancel, at: now)
            return (nil, told(at: now))
        default:
            return cardSteered(command, at: now)
        }
    }

    private func cardSteered(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) {
        switch terminal.steer(command) {
        case .notUnderstood: return ("a QPOS reader does not know: \(command)", [])
        case .complaint(let text): return (text, [])
        case .nothing: return (nil, [])
        case .cardRemoved:
            isChipPowered = false
            return (nil, [])
        case .cardPresented(let how):
            guard exchange?.until != nil else { return (nil, []) }
            if how == .inserted {
                terminal.cancel()
                finish(QPOSState.completed, [0x01], at: now)
            } else {
                carryOn(terminal.proceed(), at: now)
            }
            return (nil, told(at: now))
        }
    }
}
