import Crypto
import EMV
import Money

/// Decides on requests. It keeps nothing: the same request always gets the same answer.
struct IssuerDesk: Sendable {
    let directory: IssuerDirectory
    let options: IssuerSimulator.Options

    /// An answer, why, and how it is delivered.
    struct Ruling {
        let response: AuthorisationResponse
        let decision: IssuerDecision
        var behaviour = TestAmount.approve
    }

    func rule(
        on request: AuthorisationRequest, _ instruction: IssuerInstruction = IssuerInstruction()
    ) throws(CryptogramError) -> Ruling {
        guard let (pan, expiry) = Self.open(request.account) else {
            return try decline(request, .declined, .accountUnreadable, nil)
        }
        guard let (issuer, range) = directory.find(pan) else {
            return try decline(request, .unknownIssuer, .unknownIssuer, nil)
        }
        guard !expiry.isPast(at: request.moment) else {
            return try decline(request, .expiredCard, .cardExpired, range)
        }
        guard !request.amount.isZero else { return try decline(request, .invalidAmount, .amountZero, range) }
        guard request.entryMode.isChip else { return try byAmount(request, range, nil, instruction) }
        let chip: VerifiedChip
        do throws(VerifiedChip.Refusal) {
            chip = try VerifiedChip(request, pan, of: issuer)
        } catch {
            let code: ResponseCode = error.reason == .amountMismatch ? .invalidAmount : .declined
            return try decline(request, code, error.reason, range, error.scheme)
        }
        return try byAmount(
            request, range,
            IssuerAnswer(issuer: issuer, pan: pan, panSequenceNumber: request.panSequenceNumber, chip: chip),
            instruction)
    }

    /// The goods are gone; what is left to say is whether the issuer pays for them.
    func rule(on advice: OfflineAdvice) throws(CryptogramError) -> Ruling {
        let request = advice.request
        guard let (pan, expiry) = Self.open(request.account) else {
            return try decline(request, .declined, .accountUnreadable, nil)
        }
        guard let (issuer, range) = directory.find(pan) else {
            return try decline(request, .unknownIssuer, .unknownIssuer, nil)
        }
        guard !expiry.isPast(at: request.moment) else {
            return try decline(request, .expiredCard, .cardExpired, range)
        }
        guard !request.amount.isZero else { return try decline(request, .invalidAmount, .amountZero, range) }
        do throws(VerifiedChip.Refusal) {
            _ = try VerifiedChip(request, pan, of: issuer, kind: 0x40)
        } catch {
            let code: ResponseCode = error.reason == .amountMismatch ? .invalidAmount : .declined
            return try decline(request, code, error.reason, range, error.scheme)
        }
        var instruction = IssuerInstruction()
        // An advice is taken as a whole or not at all.
        if case .partial = TestAmount(minorUnits: request.amount.minorUnits) { instruction.behaviour = .approve }
        return try byAmount(request, range, nil, instruction)
    }

    /// Nil when another key is needed than that of the simulated readers.
    private static func open(_ account: AccountData) -> (PAN, CardExpiry)? {
        switch account {
        case .clear(let pan, let expiry): (pan, expiry)
        case .encrypted(let data): SimulatedReaderKey.open(data)
        }
    }

    private func byAmount(
        _ request: AuthorisationRequest, _ range: SimulatedIssuer.CardRange, _ answer: IssuerAnswer?,
        _ instruction: IssuerInstruction
    ) throws(CryptogramError) -> Ruling {
        let behaviour = instruction.behaviour ?? TestAmount(minorUnits: request.amount.minorUnits)
        let (code, approved): (ResponseCode, Amount) =
            switch behaviour {
            case .decline(let code): (code, .zero(request.amount.currency))
            case .partial(let minorUnits):
                Amount(minorUnits: minorUnits, currency: request.amount.currency).map { (.partialApproval, $0) }
                    ?? (.approved, request.amount)
            case .slow, .slowReversal, .silent, .garbage, .approve: (.approved, request.amount)
            }
        let declines = approved.isZero
        let response = AuthorisationResponse(
            responseCode: code,
            authorisationCode: declines ? nil : try HostNumber.authorisationCode(of: request.attempt),
            issuerData: try issuerData(code, answer, scripts: declines ? [] : options.scripts + instruction.scripts),
            approvedAmount: approved,
            accountType: range.accountType, bank: range.bank,
            hostReference: try HostNumber.reference(of: request.attempt))
        let decision = IssuerDecision(
            attempt: request.attempt, responseCode: code, reason: behaviour == .approve ? .approved : .testAmount,
            scheme: answer?.chip.cryptogram.scheme)
        return Ruling(response: response, decision: decision, behaviour: behaviour)
    }

    private func decline(
        _ request: AuthorisationRequest, _ code: ResponseCode, _ reason: IssuerDecision.Reason,
        _ range: SimulatedIssuer.CardRange?, _ scheme: CryptogramScheme? = nil
    ) throws(CryptogramError) -> Ruling {
        // No tag 91: the issuer does not vouch for an answer to a card that it could not verify.
        let response = AuthorisationResponse(
            responseCode: code, authorisationCode: nil, issuerData: [], approvedAmount: .zero(request.amount.currency),
            accountType: range?.accountType, bank: range?.bank,
            hostReference: try HostNumber.reference(of: request.attempt))
        let decision = IssuerDecision(
            attempt: request.attempt, responseCode: code, reason: reason, scheme: scheme)
        return Ruling(response: response, decision: decision)
    }

    private func issuerData(
        _ code: ResponseCode, _ answer: IssuerAnswer?, scripts: [IssuerScript]
    ) throws(CryptogramError) -> [UInt8] {
        guard let answer, options.issuerDataFault != .absent else { return [] }
        var authentication = try answer.authenticationData(code)
        switch options.issuerDataFault {
        // The first byte of the ARPC, after tag and length.
        case .wrongARPC: authentication[2] ^= 0x01
        case .truncated: return Array(authentication.dropLast(3))
        case .absent, nil: break
        }
        for script in scripts { authentication += try answer.script(script) }
        return authentication
    }
}
