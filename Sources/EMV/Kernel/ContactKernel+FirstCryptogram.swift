import BERTLV
import Crypto

/// From offline data authentication to the first GENERATE AC (Book 3, 10.3 to 10.8).
extension ContactKernel {
    mutating func authenticateCard() -> KernelStep {
        var authentication = OfflineDataAuthentication()
        switch authentication.start(context) {
        case .transmit(let command):
            phase = .authenticatingCard(authentication)
            return .transmit(command)
        case .done(let outcome):
            outcome.apply(to: &context)
        case .combined(let combined):
            combinedAuthentication = combined
        }
        return restrictAndVerify()
    }

    mutating func restrictAndVerify() -> KernelStep {
        ProcessingRestrictions.apply(&context)
        var verification = CardholderVerification(list: context.card[.cvmList])
        return follow(verification.start(&context), verification)
    }

    mutating func follow(
        _ step: CardholderVerification.Step, _ verification: CardholderVerification
    ) -> KernelStep {
        phase = .verifyingCardholder(verification)
        switch step {
        case .transmit(let command): return .transmit(command)
        case .askForPIN(let request): return .askForPIN(request)
        case .cancelled: return finish(.cancelledByCardholder)
        case .done: break
        }
        guard context.card.interchangeProfileHas(0x08) else { return decide() }
        var management = TerminalRiskManagement()
        return follow(management.start(&context), management)
    }

    mutating func follow(
        _ step: TerminalRiskManagement.Step, _ management: TerminalRiskManagement
    ) -> KernelStep {
        phase = .managingRisk(management)
        switch step {
        case .transmit(let command): return .transmit(command)
        case .done: return decide()
        }
    }

    mutating func decide() -> KernelStep {
        let asked = TerminalActionAnalysis.decide(context)
        guard asked == .transactionCertificate else { return askAsDecided(asked) }
        switch context.transaction.offlineApproval {
        case .byActionCodes: return askAsDecided(asked)
        case .never: return askAsDecided(instead)
        case .onPermission:
            phase = .waitingForPermission(.first)
            return .approveOffline
        }
    }

    /// What is asked for where a TC may not be.
    var instead: CryptogramType {
        context.terminal.terminalType.connection == .offlineOnly
            ? .applicationAuthenticationCryptogram : .authorisationRequestCryptogram
    }

    mutating func askAsDecided(_ asked: CryptogramType) -> KernelStep {
        switch asked {
        case .applicationAuthenticationCryptogram: context.responseCode = Array("Z1".utf8)
        case .transactionCertificate: context.responseCode = Array("Y1".utf8)
        case .authorisationRequestCryptogram: break
        }
        return askForFirstCryptogram(asked)
    }

    mutating func askForFirstCryptogram(_ asked: CryptogramType) -> KernelStep {
        phase = .firstCryptogram(asked: asked)
        let mode = context.terminal.combinedDataRequestMode
        isSignatureAsked = combinedAuthentication != nil && mode.asksForSignature(on: asked, afterApproval: false)
        if !isSignatureAsked, asked == .applicationAuthenticationCryptogram || mode == .neither {
            noteMissingSignature()
        }
        guard let command = GenerateAC.command(asked, dol: .cdol1, withSignature: isSignatureAsked, &context) else {
            return finishWithFault("CDOL1 asks for too much")
        }
        context.onlineResults = OnlineResults(
            verificationResults: context.tvr.bytes, cvmResults: context.cvmResults)
        return .transmit(command)
    }

    mutating func firstCryptogramReceived(_ response: ResponseAPDU, asked: CryptogramType) -> KernelStep {
        guard response.status.isSuccess else { return finishWithFault("GENERATE AC answered \(response.status)") }
        guard let given = CryptogramResponse(parsing: response.data) else {
            return finishWithFault("GENERATE AC answered malformed data")
        }
        guard given.type <= asked else { return finishWithFault("the card answered above what was asked") }
        let (answer, isGenuine) = authenticated(given, response.data)
        keep(answer)
        context.onlineCard = context.card
        context.tsi.performed(.cardRiskManagement)
        if answer.type == .applicationAuthenticationCryptogram { noteMissingSignature() }
        if context.transaction.type == .refund { return finish(.identified) }
        switch answer.type {
        case .applicationAuthenticationCryptogram:
            context.responseCode = Array("Z1".utf8)
            return finish(.declinedOffline(answer.isServiceNotAllowed ? .serviceNotAllowed : .cardOrTerminalDecision))
        case .transactionCertificate:
            context.responseCode = Array((isGenuine ? "Y1" : "Z1").utf8)
            return finish(
                isGenuine ? .approvedOffline(afterFailedAttempt: false) : .declinedOffline(.cardOrTerminalDecision))
        case .authorisationRequestCryptogram:
            guard isGenuine else {
                // A forged answer is not worth a question to the issuer: the card is ended at once (Book 2, 6.6.2).
                context.responseCode = Array("Z1".utf8)
                return askForSecondCryptogram(.declined)
            }
            hasAuthorisationRequestCryptogram = true
            // A terminal without a line is one that cannot go online (Book 3, 10.7).
            if context.terminal.terminalType.connection == .offlineOnly { return decideUnableToGoOnline() }
            phase = .waitingForHost
            return .goOnline
        }
    }

    /// CDA was chosen, but no answer was signed, and none will be.
    mutating func noteMissingSignature() {
        guard combinedAuthentication != nil, !context.tsi.contains(.offlineDataAuthentication) else { return }
        context.tvr.set(.offlineDataAuthenticationNotPerformed)
    }

    /// Checks the signature of a CDA answer. Where none was asked for, and for an AAC, which comes unsigned, everything
    /// that has a cryptogram is genuine.
    mutating func authenticated(
        _ given: CryptogramResponse, _ data: [UInt8]
    ) -> (answer: CryptogramResponse, isGenuine: Bool) {
        guard let combinedAuthentication, isSignatureAsked, given.type != .applicationAuthenticationCryptogram else {
            return (given, given.hasCryptogram)
        }
        do throws(OfflineAuthenticationFailure) {
            let signed = try combinedAuthentication.verifyFirst(data, cdol1Data: context.cdol1Data)
            signed.outcome.apply(to: &context)
            return (CryptogramResponse(parsing: signed.response) ?? given, true)
        } catch {
            OfflineAuthenticationOutcome(method: .combinedData, result: .failed(error)).apply(to: &context)
            return (given, false)
        }
    }

    /// The cryptogram's own objects replace earlier ones; others that come along never do, so that a card cannot change
    /// the account number between its records and the host.
    mutating func keep(_ answer: CryptogramResponse) {
        let bytes = SecretBytes(answer.answer)
        for object in answer.objects where !context.card.add(object.tag, object.valueRange, of: bytes) {
            guard CryptogramResponse.ownTags.contains(object.tag) else { continue }
            context.card.replace(object.tag, object.valueRange, of: bytes)
        }
    }
}
