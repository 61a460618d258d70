extension NEO2Firmware {
    /// The answer at once; nil when a transaction has begun, whose answer comes later.
    func execute(_ command: NEO2Message.Command, at now: Duration) -> [UInt8]? {
        func answer(_ status: UInt8, _ data: [UInt8] = []) -> [UInt8] {
            NEO2Message.response(command.code, status, data)
        }
        switch (command.code, command.subCommand) {
        case (0x18, 0x01): return answer(NEO2Status.ok)
        case (0x29, 0x00): return answer(NEO2Status.ok, Array(options.firmware.utf8))
        case (0x12, 0x01): return answer(NEO2Status.ok, Array(options.serial.utf8))
        case (0x01, 0x01):
            return answer(command.data.count == 1 && command.data[0] <= 1 ? NEO2Status.ok : NEO2Status.badParameter)
        case (0x03, 0x02): return answer(NEO2Status.ok, configuration.bytes)
        case (0x04, 0x00):
            guard let objects = TerminalObjects(parsing: command.data) else { return answer(NEO2Status.badParameter) }
            configuration.merge(objects)
            return answer(NEO2Status.ok)
        case (0x02, 0x40), (0x02, 0x01): return activate(command, at: now)
        case (0x03, 0x40), (0x03, 0x00):
            guard let lastResult else { return answer(NEO2Status.failed) }
            return answer(lastResult.status, lastResult.data)
        case (0x05, 0x01):
            // What a contact transaction had come to is given up with it.
            contactStep = nil
            terminal.cancel()
            return answer(NEO2Status.ok)
        case (0x60, 0x10...0x13) where options.hasContact: return contact(command, at: now)
        case (0x2C, _): return answer(NEO2Status.notAllowed)
        case (0x18, _), (0x29, _), (0x12, _), (0x01, _), (0x02, _), (0x03, _), (0x04, _), (0x05, _):
            return answer(NEO2Status.unknownSubCommand)
        case (0x60, _) where options.hasContact: return answer(NEO2Status.unknownSubCommand)
        default: return answer(NEO2Status.unknownCommand)
        }
    }

    /// 02-40 and 02-01: the time-out in seconds, then data objects.
    private func activate(_ command: NEO2Message.Command, at now: Duration) -> [UInt8]? {
        guard let seconds = command.data.first, let objects = TerminalObjects(parsing: Array(command.data.dropFirst())),
            objects["9F02"]?.count == 6
        else { return NEO2Message.response(command.code, NEO2Status.badParameter) }
        let interfaces: Set<CardPresentation> =
            switch objects["DFEF37"] {
            case [0x01]: [.swiped]
            case [0x02]: [.tapped]
            default: [.tapped, .swiped]
            }
        begin(
            Activation(code: command.code, isContact: false, until: now + .seconds(Int(seconds))),
            TerminalPayment(objects: objects, interfaces: interfaces, allowsFallback: true))
        return nil
    }

    private func contact(_ command: NEO2Message.Command, at now: Duration) -> [UInt8]? {
        func answer(_ status: UInt8, _ data: [UInt8] = []) -> [UInt8] {
            NEO2Message.response(command.code, status, data)
        }
        switch command.subCommand {
        case 0x10:
            // Fallback, two time-outs in seconds, data objects.
            guard command.data.count >= 5, let objects = TerminalObjects(parsing: Array(command.data.dropFirst(5))),
                objects["9F02"]?.count == 6
            else { return answer(NEO2Status.badParameter) }
            let allowsFallback = command.data[0] == 1
            let seconds = Int(command.data[1]) << 8 | Int(command.data[2])
            begin(
                Activation(code: command.code, isContact: true, until: now + .seconds(seconds)),
                TerminalPayment(
                    objects: objects, interfaces: allowsFallback ? [.inserted, .swiped] : [.inserted],
                    allowsFallback: allowsFallback))
            return nil
        case 0x11:
            guard let step = contactStep else { return answer(NEO2Status.notAllowed) }
            if case .online = step {} else { contactStep = nil }
            let (status, data) = told(step)
            return answer(status, data)
        case 0x12:
            guard case .online? = contactStep, let objects = TerminalObjects(parsing: command.data) else {
                return answer(contactStep == nil ? NEO2Status.notAllowed : NEO2Status.badParameter)
            }
            contactStep = nil
            let (status, data) = told(terminal.complete(objects))
            lastResult = (status, data)
            // A decision of the card is told by 60-13; what went wrong is told at once.
            return answer(data.isEmpty ? status : NEO2Status.ok)
        default:
            guard let lastResult else { return answer(NEO2Status.failed) }
            return answer(NEO2Status.ok, lastResult.data)
        }
    }

    private func begin(_ activation: Activation, _ payment: TerminalPayment) {
        contactStep = nil
        lastResult = nil
        self.activation = activation
        pending = terminal.start(payment)
    }
}
