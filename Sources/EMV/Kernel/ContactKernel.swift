public import BERTLV

/// A contact EMV transaction (Books 1 to 4) as a state machine: it says which command the card gets next, takes the
/// answer, and stops for the cardholder and for the issuer. It does no I/O and knows no reader, so a recorded dialogue can
/// be replayed through it. The order of the stages is that of Book 3, 8.2; each stage is a type of its own.
public struct ContactKernel: Sendable {
    enum Phase: Sendable {
        case notStarted
        case selecting(ApplicationSelection)
        case choosingApplication(ApplicationSelection)
        case initiating(ApplicationSelection)
        case reading(RecordReading)
        case authenticatingCard(OfflineDataAuthentication)
        case verifyingCardholder(CardholderVerification)
        case managingRisk(TerminalRiskManagement)
        case waitingForPermission(AfterPermission)
        case firstCryptogram(asked: CryptogramType)
        case waitingForHost
        case authenticatingIssuer(HostVerdict)
        case scriptsBefore(ScriptProcessing, HostVerdict)
        case secondCryptogram(HostVerdict)
        case scriptsAfter(ScriptProcessing, KernelOutcome)
        case finished(KernelOutcome)
    }

    /// Which of the two GENERATE AC waits for the permission to ask for a TC.
    enum AfterPermission: Sendable {
        case first
        case second
    }

    var phase = Phase.notStarted
    /// Owners copy kernels, and the context is large.
    @CopiedOnWrite var context: TransactionContext
    var combinedAuthentication: CombinedDataAuthentication?
    /// The last GENERATE AC asked for a signature.
    var isSignatureAsked = false
    var scripts: [IssuerScript] = []
    /// The card's first answer was an ARQC (CID bits 8 and 7 = 10).
    public internal(set) var hasAuthorisationRequestCryptogram = false

    public init(terminal: TerminalConfiguration, transaction: TransactionData) {
        context = TransactionContext(terminal: terminal, transaction: transaction)
    }

    /// The application in use, for the receipt: nil until one was selected.
    public var application: Candidate? { context.candidate }

    /// The value of a data object as it now stands: the terminal's, else the card's.
    public func value(of tag: Tag) -> [UInt8]? {
        context.value(of: tag)
    }

    /// The value as it was when the card made its first cryptogram: what the host must be told (Book 3, 10.8). For
    /// field 55.
    public func onlineValue(of tag: Tag) -> [UInt8]? {
        context.onlineValue(of: tag)
    }

    /// Lets go of everything the card and its issuer said. The outcome stays.
    public mutating func wipe() {
        combinedAuthentication = nil
        context.wipe()
        scripts = []
    }

    // MARK: What the owner calls

    /// The first command. Call once.
    public mutating func start() -> KernelStep {
        guard case .notStarted = phase else { return calledOutOfTurn }
        var selection = ApplicationSelection(
            applications: context.terminal.applications, asksCardholder: context.terminal.asksForApplication)
        return follow(selection.start(), selection)
    }

    /// The card's answer to the last `.transmit`.
    public mutating func receive(_ response: ResponseAPDU) -> KernelStep {
        if case .finished(let outcome) = phase { return .finished(outcome) }
        guard response.status.isValid else { return finishWithFault("status word \(response.status)") }
        switch phase {
        case .selecting(var selection):
            return follow(selection.receive(response), selection)
        case .initiating(let selection):
            return initiated(ApplicationInitiation.evaluate(response), selection)
        case .reading(var reading):
            return follow(reading.receive(response, &context), reading)
        case .authenticatingCard(let authentication):
            authentication.receive(response).apply(to: &context)
            return restrictAndVerify()
        case .verifyingCardholder(var verification):
            return follow(verification.receive(response, &context), verification)
        case .managingRisk(var management):
            return follow(management.receive(response, &context), management)
        case .firstCryptogram(let asked):
            return firstCryptogramReceived(response, asked: asked)
        case .authenticatingIssuer(let verdict):
            context.tsi.performed(.issuerAuthentication)
            if !response.status.isSuccess { context.tvr.set(.issuerAuthenticationFailed) }
            return processScriptsBefore(verdict)
        case .scriptsBefore(var processing, let verdict):
            return follow(processing.receive(response, &context), processing, verdict)
        case .secondCryptogram(let verdict):
            return secondCryptogramReceived(response, verdict)
        case .scriptsAfter(var processing, let outcome):
            return follow(processing.receive(response, &context), processing, outcome)
        case .notStarted, .choosingApplication, .waitingForPermission, .waitingForHost, .finished:
            return calledOutOfTurn
        }
    }

    /// The cardholder's answer to `.chooseApplication`: an index into its list; nil = cancelled.
    public mutating func applicationChosen(_ index: Int?) -> KernelStep {
        guard case .choosingApplication(var selection) = phase else { return calledOutOfTurn }
        guard let index else { return finish(.cancelledByCardholder) }
        return follow(selection.chosen(index), selection)
    }

    /// The answer to `.askForPIN`.
    public mutating func pinAnswered(_ answer: PINAnswer) -> KernelStep {
        guard case .verifyingCardholder(var verification) = phase else { return calledOutOfTurn }
        return follow(verification.pinAnswered(answer, &context), verification)
    }

    /// The answer to `.approveOffline`.
    public mutating func offlineApprovalAnswered(_ isGranted: Bool) -> KernelStep {
        guard case .waitingForPermission(let next) = phase else { return calledOutOfTurn }
        switch next {
        case .first: return askAsDecided(isGranted ? .transactionCertificate : instead)
        case .second:
            return endWithoutHost(asked: isGranted ? .transactionCertificate : .applicationAuthenticationCryptogram)
        }
    }

    /// The issuer's answer to `.goOnline`, which a terminal without a line never comes to.
    public mutating func hostAnswered(_ answer: HostAnswer) -> KernelStep {
        guard case .waitingForHost = phase else { return calledOutOfTurn }
        switch answer {
        case .unableToGoOnline:
            return decideUnableToGoOnline()
        case .answered(let responseCode, let isApproved, let issuerData):
            let answer = IssuerAnswer(parsing: issuerData)
            context.responseCode = Array(responseCode.prefix(2))
            context.issuerAuthenticationData = answer.authenticationData ?? []
            scripts = answer.scripts
            let verdict = isApproved ? HostVerdict.approved : .declined
            // AIP byte 1 bit 3: the card wants EXTERNAL AUTHENTICATE; else 91 travels in CDOL2 (Book 3, 10.9).
            guard context.card.interchangeProfileHas(0x04), !context.issuerAuthenticationData.isEmpty else {
                return processScriptsBefore(verdict)
            }
            phase = .authenticatingIssuer(verdict)
            return .transmit(
                CommandAPDU(cla: 0x00, ins: 0x82, p1: 0, p2: 0, data: context.issuerAuthenticationData))
        }
    }
}
