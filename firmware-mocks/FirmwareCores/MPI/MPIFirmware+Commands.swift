extension MPIFirmware {
    func execute(_ command: MPIMessage.Command, _ fault: FrameFault?, at now: Duration) -> [SerialEffect] {
        func done(_ data: [UInt8] = [], _ status: UInt16 = MPIStatus.success) -> [SerialEffect] {
            deliver(answer(data, status), fault, at: now)
        }
        switch command.code {
        case 0xD000:
            forget()
            tellsCardStatus = false
            return done(device)
        case 0xD001: return done(configuration)
        case 0xD002: return done(device)
        case 0xD060:
            guard options.tellsCardStatus else { return done([], MPIStatus.unknownInstruction) }
            tellsCardStatus = command.p1 & 0x01 != 0
            return done() + (tellsCardStatus ? event(cardStatus()) : [])
        case 0xD201, 0xD010, 0xD0C0: return done()
        case 0xD0FF: return abort(fault, at: now)
        case 0xDED1, 0xDEC1: return start(command, fault, at: now)
        case 0xDED2: return proceed(command, fault, at: now)
        case 0xDED6:
            // A PIN block under a key of its own, which this mock does not have: eight bytes and a serial number.
            let block = CardData.object([0xDF, 0xAE, 0x04], [UInt8](repeating: 0xA5, count: 8))
            return done(
                CardData.object(
                    [0xE1], block + CardData.object([0xDF, 0xAE, 0x05], [UInt8](repeating: 0xFF, count: 10))))
        default: return done([], MPIStatus.unknownInstruction)
        }
    }

    /// Serial number, and the name and version of the software.
    private var device: [UInt8] {
        let software =
            CardData.object([0xDF, 0x0D], Array((options.isVIPA ? "VIPA" : "MPI").utf8))
            + CardData.object([0xDF, 0x7F], Array(options.firmware.utf8))
        return CardData.object(
            [0xE1],
            CardData.object([0x9F, 0x1E], Array(options.serial.utf8)) + CardData.object([0xEF], software))
    }

    /// Names and versions of its files: more than one packet holds.
    private var configuration: [UInt8] {
        let files = (1...16).flatMap { number in
            CardData.object(
                [0xED],
                CardData.object([0xDF, 0x0D], Array("FILE\(number).CFG".utf8))
                    + CardData.object([0xDF, 0x7F], Array("1.0".utf8)))
        }
        return CardData.object([0xE1], files)
    }

    /// D0 FF.
    private func abort(_ fault: FrameFault?, at now: Duration) -> [SerialEffect] {
        let wasWaiting = waiting != nil
        forget()
        guard wasWaiting else { return deliver(answer([]), fault, at: now) }
        let ended = MPIMessage.packets(answer([], MPIStatus.cancelled)).flatMap(\.self)
        switch options.abortAnswer {
        case .abort: return deliver(answer([]), fault, at: now)
        case .transaction: return deliver(answer([], MPIStatus.cancelled), fault, at: now)
        case .both: return [.bytes(ended)] + deliver(answer([]), fault, at: now)
        }
    }
}
