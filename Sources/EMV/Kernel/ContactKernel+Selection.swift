import BERTLV

/// From the first SELECT to the records (Book 1, 12; Book 3, 10.1 and 10.2).
extension ContactKernel {
    mutating func follow(_ step: ApplicationSelection.Step, _ selection: ApplicationSelection) -> KernelStep {
        switch step {
        case .transmit(let command):
            phase = .selecting(selection)
            return .transmit(command)
        case .choose(let candidates):
            phase = .choosingApplication(selection)
            return .chooseApplication(candidates)
        case .failed(let failure):
            return finish(.notAccepted(failure))
        case .selected(let selected, let candidate):
            context.forgetApplication()
            context.application = selected
            context.candidate = candidate
            phase = .initiating(selection)
            guard let command = ApplicationInitiation.command(&context) else {
                return finishWithFault("the PDOL is malformed")
            }
            return .transmit(command)
        }
    }

    mutating func initiated(
        _ result: ApplicationInitiation.Result, _ selection: ApplicationSelection
    ) -> KernelStep {
        switch result {
        case .conditionsNotSatisfied:
            var selection = selection
            return follow(selection.selectNextCandidate(), selection)
        case .cardError(let reason):
            return finishWithFault(reason)
        case .initiated(let profile, let locator, let others):
            let objects = [(.applicationInterchangeProfile, profile), (.applicationFileLocator, locator)] + others
            for (tag, value) in objects where !value.isEmpty {
                guard context.card.add(tag, value) else { return finishWithFault("object \(tag) is there twice") }
            }
            guard let fileLocator = ApplicationFileLocator(parsing: locator) else {
                return finishWithFault("the AFL is malformed")
            }
            let reading = RecordReading(fileLocator)
            return follow(reading.start(), reading)
        }
    }

    mutating func follow(_ step: RecordReading.Step, _ reading: RecordReading) -> KernelStep {
        phase = .reading(reading)
        switch step {
        case .transmit(let command): return .transmit(command)
        case .cardError(let reason): return finishWithFault(reason)
        case .done: break
        }
        // A refund only identifies the card: it goes straight to the AAC (see `askForFirstCryptogram`).
        guard context.transaction.type != .refund else {
            context.tvr.set(.offlineDataAuthenticationNotPerformed)
            return askForFirstCryptogram(.applicationAuthenticationCryptogram)
        }
        return authenticateCard()
    }
}
