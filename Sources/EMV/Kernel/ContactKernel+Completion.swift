import BERTLV

/// From the issuer's answer to the end (Book 3, 10.9 to 10.11).
extension ContactKernel {
    /// By the default action codes (Book 3, 10.7).
    mutating func decideUnableToGoOnline() -> KernelStep {
        let asked = TerminalActionAnalysis.decideUnableToGoOnline(context)
        guard asked == .transactionCertificate else { return endWithoutHost(asked: asked) }
        switch context.transaction.offlineApproval {
        case .byActionCodes: return endWithoutHost(asked: asked)
        case .never: return endWithoutHost(asked: .applicationAuthenticationCryptogram)
        case .onPermission:
            phase = .waitingForPermission(.second)
            return .approveOffline
        }
    }

    mutating func endWithoutHost(asked: CryptogramType) -> KernelStep {
        context.responseCode = Array((asked == .transactionCertificate ? "Y3" : "Z3").utf8)
        return askForSecondCryptogram(.unableToGoOnline(asked: asked))
    }

    mutating func processScriptsBefore(_ verdict: HostVerdict) -> KernelStep {
        var processing = ScriptProcessing(scripts, phase: .beforeFinalCryptogram)
        return follow(processing.start(&context), processing, verdict)
    }

    mutating func follow(
        _ step: ScriptProcessing.Step, _ processing: ScriptProcessing, _ verdict: HostVerdict
    ) -> KernelStep {
        phase = .scriptsBefore(processing, verdict)
        switch step {
        case .transmit(let command): return .transmit(command)
        case .done: return askForSecondCryptogram(verdict)
        }
    }

    mutating func askForSecondCryptogram(_ verdict: HostVerdict) -> KernelStep {
        phase = .secondCryptogram(verdict)
        let asked = verdict.cryptogram
        isSignatureAsked =
            combinedAuthentication != nil
            && context.terminal.combinedDataRequestMode.asksForSignature(
                on: asked, afterApproval: verdict == .approved)
        if !isSignatureAsked { noteMissingSignature() }
        guard let command = GenerateAC.command(asked, dol: .cdol2, withSignature: isSignatureAsked, &context) else {
            return finishWithFault("CDOL2 asks for too much")
        }
        return .transmit(command)
    }

    mutating func secondCryptogramReceived(_ response: ResponseAPDU, _ verdict: HostVerdict) -> KernelStep {
        let isApproved = hasFinalCertificate(response, verdict)
        let outcome: KernelOutcome
        switch verdict {
        case .approved: outcome = isApproved ? .approved : verdict.outcomeOfFault
        case .unableToGoOnline(.transactionCertificate) where isApproved:
            outcome = .approvedOffline(afterFailedAttempt: true)
        case .unableToGoOnline:
            context.responseCode = Array("Z3".utf8)
            outcome = verdict.outcomeOfFault
        case .declined: outcome = outcomeOfFault(verdict)
        }
        var processing = ScriptProcessing(scripts, phase: .afterFinalCryptogram)
        return follow(processing.start(&context), processing, outcome)
    }

    /// The card gave a TC, and its signature is right where there should be one.
    mutating func hasFinalCertificate(_ response: ResponseAPDU, _ verdict: HostVerdict) -> Bool {
        guard response.status.isSuccess, var answer = CryptogramResponse(parsing: response.data) else { return false }
        var isGenuine = answer.hasCryptogram
        if let combinedAuthentication, isSignatureAsked, answer.type == .transactionCertificate {
            do throws(OfflineAuthenticationFailure) {
                let signed = try combinedAuthentication.verifySecond(
                    response.data, cdol1Data: context.cdol1Data, cdol2Data: context.cdol2Data)
                answer = CryptogramResponse(parsing: signed.response) ?? answer
                isGenuine = true
                // Where the first answer was signed, it gave the dynamic number already, and the card was told.
                if !context.tsi.contains(.offlineDataAuthentication) { signed.outcome.apply(to: &context) }
            } catch {
                OfflineAuthenticationOutcome(method: .combinedData, result: .failed(error)).apply(to: &context)
                isGenuine = false
            }
        }
        noteMissingSignature()
        keep(answer)
        return answer.type == .transactionCertificate && verdict.cryptogram == .transactionCertificate && isGenuine
    }

    mutating func follow(
        _ step: ScriptProcessing.Step, _ processing: ScriptProcessing, _ outcome: KernelOutcome
    ) -> KernelStep {
        phase = .scriptsAfter(processing, outcome)
        switch step {
        case .transmit(let command): return .transmit(command)
        case .done: return finish(outcome)
        }
    }

    mutating func finish(_ outcome: KernelOutcome) -> KernelStep {
        phase = .finished(outcome)
        return .finished(outcome)
    }

    /// The card broke the rules. What that means depends on how far the transaction has come.
    mutating func finishWithFault(_ reason: String) -> KernelStep {
        let stage: CardFault.Stage
        switch phase {
        case .authenticatingIssuer(let verdict), .scriptsBefore(_, let verdict), .secondCryptogram(let verdict):
            return finish(outcomeOfFault(verdict))
        case .scriptsAfter(_, let outcome), .finished(let outcome): return finish(outcome)
        case .notStarted, .selecting, .choosingApplication: stage = .selection
        case .initiating: stage = .initiation
        case .reading: stage = .reading
        case .authenticatingCard, .verifyingCardholder, .managingRisk: stage = .analysis
        case .waitingForPermission, .firstCryptogram, .waitingForHost: stage = .firstGenerateAC
        }
        return finish(.cardError(CardFault(stage: stage, reason: reason)))
    }

    /// Without an ARQC that was good enough for the issuer, it was the terminal that declined.
    func outcomeOfFault(_ verdict: HostVerdict) -> KernelOutcome {
        guard verdict == .declined, !hasAuthorisationRequestCryptogram else { return verdict.outcomeOfFault }
        return .declinedOffline(.cardOrTerminalDecision)
    }

    var calledOutOfTurn: KernelStep {
        .finished(.cardError(CardFault(stage: .selection, reason: "the kernel was called out of turn")))
    }
}
