extension EMVCardCore {
    /// GET PROCESSING OPTIONS: once for each selection (EMV Book 3, 6.5.8).
    func getProcessingOptions(_ command: CardCommand) -> CardReply {
        guard command.p1 == 0, command.p2 == 0 else { return .wrongParameters }
        guard command.expected != nil, command.data.count >= 2, command.data[0] == 0x83,
            Int(command.data[1]) == command.data.count - 2
        else { return .wrongLength }
        guard stage == .selected, let application, counter < .max, !profile.behaviour.hasBlockedApplication,
            !profile.behaviour.refusesOptions
        else { return .conditionsNotSatisfied }
        let sent = Array(command.data.dropFirst(2))
        guard let values = CardData.split(sent, by: application.processingOptionsList) else { return .wrongLength }
        counter += 1
        stage = .initiated
        endTransaction()
        terminalValues = values
        processingOptionsData = sent
        var transaction = CardTransaction(counter: counter, application: application.identifier)
        transaction.processingOptions = values
        if log.count >= 64 { log.removeFirst() }
        log.append(transaction)
        let profileBytes = application.interchangeProfile
        guard application.optionsFormat == 2 else {
            return CardReply(CardData.object([0x80], profileBytes + application.fileLocator))
        }
        let objects = CardData.object([0x82], profileBytes) + CardData.object([0x94], application.fileLocator)
        return CardReply(CardData.object([0x77], objects))
    }

    /// GENERATE APPLICATION CRYPTOGRAM, first or second (EMV Book 3, 6.5.5).
    func generateCryptogram(_ command: CardCommand) -> CardReply {
        let asked = command.p1 & 0xC0
        guard command.p1 & 0x2F == 0, asked != 0xC0, command.p2 == 0 else { return .wrongParameters }
        if command.p1 & 0x10 != 0 {
            // CDA (EMV Book 2, 6.6): only of a card that does it, and never for an AAC.
            guard asked != 0, let application, application.signingKey != nil,
                application.interchangeProfile[0] & 0x01 != 0
            else { return .wrongParameters }
        }
        guard command.expected != nil else { return .wrongLength }
        guard let application, let type = CardCryptography.CryptogramType(rawValue: asked) else {
            return .conditionsNotSatisfied
        }
        switch stage {
        case .initiated: return generateFirst(type, command, application)
        case .online: return generateSecond(type, command, application)
        default: return .conditionsNotSatisfied
        }
    }

    private func generateFirst(
        _ asked: CardCryptography.CryptogramType, _ command: CardCommand, _ application: CardApplication
    ) -> CardReply {
        guard let values = CardData.split(command.data, by: application.firstList ?? []) else { return .wrongLength }
        terminalValues.merge(values) { $1 }
        let answer: CardCryptography.CryptogramType
        switch asked {
        case .declined: answer = .declined
        case _ where profile.behaviour.declinesFirst: answer = .declined
        case .online: answer = .online
        case .approved: answer = profile.behaviour.approvesOffline ? .approved : .online
        }
        firstType = answer
        stage = answer == .online ? .online : .ended
        updateLog {
            $0.first = values
            $0.firstAsked = asked.rawValue
            $0.firstAnswer = answer.rawValue
        }
        firstListData = command.data
        let reply = cryptogram(
            answer, second: nil, application,
            signed: command.p1 & 0x10 != 0 ? processingOptionsData + command.data : nil)
        firstCryptogram = reply.cryptogram
        return reply.reply
    }

    private func generateSecond(
        _ asked: CardCryptography.CryptogramType, _ command: CardCommand, _ application: CardApplication
    ) -> CardReply {
        guard asked != .online else { return .wrongParameters }
        guard let values = CardData.split(command.data, by: application.secondList ?? []) else { return .wrongLength }
        terminalValues.merge(values) { $1 }
        if let issuerData = values["91"], issuerData.contains(where: { $0 != 0 }) {
            judge(issuerData, application)
        }
        let answer = secondAnswer(asked: asked, code: values["8A"] ?? [])
        if answer == .approved, issuerAuthentication != .failed { lastOnlineCounter = counter }
        stage = .ended
        updateLog {
            $0.second = values
            $0.secondAsked = asked.rawValue
            $0.secondAnswer = answer.rawValue
        }
        return cryptogram(
            firstType, second: answer, application,
            signed: command.p1 & 0x10 != 0 ? processingOptionsData + firstListData + command.data : nil
        ).reply
    }

    /// A TC needs an approval by the issuer that is not contradicted by a wrong 91.
    private func secondAnswer(
        asked: CardCryptography.CryptogramType, code: [UInt8]
    ) -> CardCryptography.CryptogramType {
        let approvals: [[UInt8]] = ["00", "08", "10", "11"].map { Array($0.utf8) }
        let unable: [UInt8] = Array("Y3".utf8)
        guard asked == .approved, !profile.behaviour.declinesSecond, issuerAuthentication != .failed else {
            return .declined
        }
        if code == unable { return profile.behaviour.approvesOffline ? .approved : .declined }
        guard approvals.contains(code) else { return .declined }
        if profile.behaviour.needsIssuerAuthentication, issuerAuthentication != .passed { return .declined }
        return .approved
    }

    /// - Parameter signed: what the terminal sent, when it wants a signature over it; an AAC comes without.
    private func cryptogram(
        _ first: CardCryptography.CryptogramType, second: CardCryptography.CryptogramType?,
        _ application: CardApplication, signed: [UInt8]?
    ) -> (reply: CardReply, cryptogram: UInt64) {
        let data = application.cryptography.applicationData(
            first: first, second: second, issuerAuthentication: issuerAuthentication, pinTries: pinTries)
        let cryptogram = application.cryptography.cryptogram(
            terminal: terminalValues, interchangeProfile: application.interchangeProfile, counter: counter,
            applicationData: data)
        let information = (second ?? first).rawValue
        let count = [UInt8(counter >> 8), UInt8(counter & 0xFF)]
        let value = DESBlock.bytes(cryptogram)
        if let signed, information != 0, let key = application.signingKey {
            let reply = signedReply(
                information: information, count: count, cryptogram: value, applicationData: data, sent: signed, key)
            return (reply, cryptogram)
        }
        guard application.cryptogramFormat == 2 else {
            return (CardReply(CardData.object([0x80], [information] + count + value + data)), cryptogram)
        }
        let objects =
            CardData.object([0x9F, 0x27], [information]) + CardData.object([0x9F, 0x36], count)
            + CardData.object([0x9F, 0x26], value) + CardData.object([0x9F, 0x10], data)
        return (CardReply(CardData.object([0x77], objects)), cryptogram)
    }

    /// EXTERNAL AUTHENTICATE: once, between the two cryptograms (EMV Book 3, 6.5.4).
    func externalAuthenticate(_ command: CardCommand) -> CardReply {
        guard command.p1 == 0, command.p2 == 0 else { return .wrongParameters }
        guard stage == .online, !didExternalAuthenticate, let application,
            application.interchangeProfile[0] & 0x04 != 0
        else { return .conditionsNotSatisfied }
        guard command.expected == nil,
            application.cryptography.authenticationLengths.contains(command.data.count)
        else { return .wrongLength }
        didExternalAuthenticate = true
        judge(command.data, application)
        return issuerAuthentication == .passed ? CardReply() : CardReply(status: 0x6300)
    }

    private func judge(_ issuerData: [UInt8], _ application: CardApplication) {
        let passed = application.cryptography.accepts(issuerData, cryptogram: firstCryptogram, counter: counter)
        issuerAuthentication = passed ? .passed : .failed
        updateLog { $0.issuerAuthenticated = passed }
    }
}
