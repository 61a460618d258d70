extension QPOSFirmware {
    /// Gives the command under way its result, or lets it wait for a card.
    func execute(_ request: QPOSMessage.Request, at now: Duration) {
        switch (request.code, request.subCode) {
        case (0x10, 0x00): finish(QPOSState.completed, identity, at: now)
        case (0x11, 0x30): finish(QPOSState.completed, information, at: now)
        case (0x16, 0x20): startTrade(request, at: now)
        case (0x16, 0x30): startChip(request, at: now)
        case (0x16, 0x31):
            tell(request.data.first.map { terminal.choose(Int($0)) } ?? .ended(.outOfTurn), at: now)
        case (0x16, 0x40): complete(request, at: now)
        case (0x16, 0x51):
            guard let tappedObjects else { return finish(QPOSState.notAvailable, at: now) }
            finish(QPOSState.completed, tappedObjects, at: now)
        case (0x16, 0x60): powerOnChip(at: now)
        case (0x16, 0x70):
            guard let card = insertedCard, isChipPowered else { return finish(QPOSState.powerOnError, at: now) }
            let answer = card.transmit(request.data)
            finish(answer.isEmpty ? QPOSState.cardRemoved : QPOSState.completed, answer, at: now)
        case (0x16, 0x80):
            insertedCard?.powerOff()
            isChipPowered = false
            finish(QPOSState.completed, at: now)
        case (0x23, 0x10), (0x41, 0x10), (0x20, 0xD0): finish(QPOSState.completed, at: now)
        // No contactless card answers to bare commands here.
        case (0x17, 0x00): finish(QPOSState.timeout, at: now)
        default: finish(QPOSState.notAvailable, at: now)
        }
    }

    private var insertedCard: EMVCardCore? { terminal.presentation == .inserted ? terminal.card : nil }

    private func powerOnChip(at now: Duration) {
        terminal.cancel()
        guard let reset = insertedCard?.powerOn() else { return finish(QPOSState.powerOnError, at: now) }
        isChipPowered = true
        finish(QPOSState.completed, reset, at: now)
    }

    /// PSAM id, reader id, merchant id, vendor code.
    private var identity: [UInt8] {
        QPOSMessage.field([]) + QPOSMessage.field(Array(options.serial.utf8)) + QPOSMessage.field([])
            + QPOSMessage.field([])
    }

    /// Versions of boot loader, firmware and hardware; battery, charging, USB, tracks 1 to 3.
    private var information: [UInt8] {
        let texts = ["BOOT 1.0", options.firmware, "A27"].flatMap { QPOSMessage.field(Array($0.utf8)) }
        return texts + [0x02, 0x10, 0x68] + [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    }
}
