import BERTLV
import Crypto
import Money

/// Walks the CVM list until a method succeeds or the list says that it failed (Book 3, 10.5).
struct CardholderVerification: Sendable {
    enum Step: Sendable {
        case transmit(CommandAPDU)
        case askForPIN(PINRequest)
        case done
        /// The cardholder cancelled: the transaction ends.
        case cancelled
    }

    private enum State: Sendable {
        case idle
        case readingTries
        case waitingForPIN(PINRequest)
        case gettingChallenge(block: SecretBytes)
        case verifying
    }

    /// No card gives more tries than fit its counter's nibble.
    private static let maximumTries = 15

    private let list: CVMList?
    private var index = 0
    private var state = State.idle
    private var isBypassed = false
    private var triesLeft: Int?
    private var attempts = 0
    private var pinKey: RSAPublicKey?

    /// - Parameter list: the value of tag 8E.
    init(list: [UInt8]?) {
        self.list = list.flatMap(CVMList.init(parsing:))
    }

    mutating func start(_ context: inout TransactionContext) -> Step {
        guard context.card.interchangeProfileHas(0x10) else { return .done }
        guard list != nil else {
            context.tvr.set(.iccDataMissing)
            return .done
        }
        context.tsi.performed(.cardholderVerification)
        return apply(&context)
    }

    /// The rule at `index`, if its condition holds; else the next one.
    private mutating func apply(_ context: inout TransactionContext) -> Step {
        guard let list else { return .done }
        while index < list.rules.count {
            let rule = list.rules[index]
            guard list.isSatisfied(rule, context) else {
                index += 1
                continue
            }
            if let step = begin(rule, &context) { return step }
        }
        context.tvr.set(.cardholderVerificationNotSuccessful)
        context.cvmResults = [0x3F, 0x00, 0x01]
        return .done
    }

    /// A step to wait for, or nil when the rule failed and the next one is due.
    private mutating func begin(_ rule: CVMRule, _ context: inout TransactionContext) -> Step? {
        let capabilities = context.terminal.capabilities
        guard rule.method.isSupported(by: capabilities) else {
            if rule.method == .unknown {
                context.tvr.set(.unrecognisedCVM)
            } else if rule.method.needsPIN, rule.condition != 0x03, !capabilities.hasPINPad {
                context.tvr.set(.pinRequiredNoPinPad)
            }
            return failed(rule, &context)
        }
        if rule.method.needsPIN, isBypassed {
            context.tvr.set(.pinNotEntered)
            return failed(rule, &context)
        }
        switch rule.method {
        case .fail, .unknown: return failed(rule, &context)
        case .signature: return succeeded(rule, result: 0x00, &context)
        case .noCVM: return succeeded(rule, result: 0x02, &context)
        case .onlinePIN: return ask(.online)
        case .plaintextPIN, .plaintextPINAndSignature, .encipheredPIN, .encipheredPINAndSignature:
            if isEnciphered(rule), pinKey == nil {
                pinKey = try? CardKeyRecovery(
                    context, staticData: context.staticData, keys: context.terminal.certificationAuthorityKeys
                ).pinEnciphermentKey()
                if pinKey == nil { return failed(rule, &context) }
            }
            if triesLeft == 0 {
                // Blocked by an earlier rule: asking once more could only fail.
                context.tvr.set(.pinTryLimitExceeded)
                return failed(rule, &context)
            }
            guard triesLeft == nil else { return ask(offlineMethod(rule)) }
            state = .readingTries
            return .transmit(GetData.command(.pinTryCounter))
        }
    }

    mutating func receive(_ response: ResponseAPDU, _ context: inout TransactionContext) -> Step {
        guard let rule = currentRule else { return .done }
        switch state {
        case .readingTries:
            triesLeft = GetData.value(response, .pinTryCounter).flatMap { $0.count == 1 ? Int($0[0]) : nil }
            guard triesLeft != 0 else { return blocked(rule, &context) }
            return ask(offlineMethod(rule))
        case .gettingChallenge(let block):
            guard response.status.isSuccess, let command = enciphered(block, challenge: response.data, context) else {
                return failedOrNext(rule, &context)
            }
            state = .verifying
            return .transmit(command)
        case .verifying:
            return verified(response.status, rule, &context)
        case .idle, .waitingForPIN:
            return .done
        }
    }

    mutating func pinAnswered(_ answer: PINAnswer, _ context: inout TransactionContext) -> Step {
        guard let rule = currentRule, case .waitingForPIN(let request) = state else { return .done }
        switch answer {
        case .cancelled:
            return .cancelled
        case .bypassed:
            isBypassed = true
            context.tvr.set(.pinNotEntered)
            return failedOrNext(rule, &context)
        case .padFailed:
            context.tvr.set(.pinRequiredNoPinPad)
            return failedOrNext(rule, &context)
        case .captured:
            guard request.method == .online else { return failedOrNext(rule, &context) }
            context.tvr.set(.onlinePINEntered)
            return succeeded(rule, result: 0x00, &context)
        case .verified(let status):
            guard request.method != .online else { return failedOrNext(rule, &context) }
            return verified(status, rule, &context)
        case .block(let block):
            guard request.method != .online, block.count == 8 else { return failedOrNext(rule, &context) }
            if request.method == .offlineEnciphered {
                state = .gettingChallenge(block: block)
                return .transmit(PINEncipherment.challengeCommand)
            }
            state = .verifying
            return .transmit(
                CommandAPDU(cla: 0x00, ins: 0x20, p1: 0, p2: 0x80, data: block.withBytes { Array($0) }))
        }
    }

    /// VERIFY under the card's key, with filler that was not used before; nil when the filler has run out.
    private func enciphered(
        _ block: SecretBytes, challenge: [UInt8], _ context: TransactionContext
    ) -> CommandAPDU? {
        guard let pinKey else { return nil }
        let length = PINEncipherment.fillerLength(for: pinKey)
        let filler = context.transaction.pinFiller.dropFirst(attempts * length).prefix(length)
        return try? PINEncipherment.command(
            pinBlock: block, challenge: challenge, filler: Array(filler), key: pinKey)
    }

    /// What the card said to VERIFY (Book 3, 6.5.12.4).
    private mutating func verified(
        _ status: StatusWord, _ rule: CVMRule, _ context: inout TransactionContext
    ) -> Step {
        attempts += 1
        if status.isSuccess {
            return succeeded(rule, result: rule.method.includesSignature ? 0x00 : 0x02, &context)
        }
        if status.value == 0x6983 || status.value == 0x6984 { return blocked(rule, &context) }
        guard status.value & 0xFFF0 == 0x63C0 else { return failedOrNext(rule, &context) }
        let left = Int(status.value & 0x0F)
        triesLeft = left
        guard left > 0, attempts < Self.maximumTries else { return blocked(rule, &context) }
        return ask(offlineMethod(rule), isRepeated: true)
    }

    private mutating func blocked(_ rule: CVMRule, _ context: inout TransactionContext) -> Step {
        triesLeft = 0
        context.tvr.set(.pinTryLimitExceeded)
        return failedOrNext(rule, &context)
    }

    private mutating func failedOrNext(_ rule: CVMRule, _ context: inout TransactionContext) -> Step {
        failed(rule, &context) ?? apply(&context)
    }

    /// Nil when the list goes on with the next rule.
    private mutating func failed(_ rule: CVMRule, _ context: inout TransactionContext) -> Step? {
        state = .idle
        index += 1
        guard rule.continuesOnFailure, rule.method != .fail else {
            context.tvr.set(.cardholderVerificationNotSuccessful)
            context.cvmResults = [rule.code, rule.condition, 0x01]
            return .done
        }
        return nil
    }

    private mutating func succeeded(
        _ rule: CVMRule, result: UInt8, _ context: inout TransactionContext
    ) -> Step {
        state = .idle
        context.cvmResults = [rule.code, rule.condition, result]
        return .done
    }

    private mutating func ask(_ method: PINRequest.Method, isRepeated: Bool = false) -> Step {
        let request = PINRequest(
            method: method, triesLeft: method == .online ? nil : triesLeft, isRepeated: isRepeated)
        state = .waitingForPIN(request)
        return .askForPIN(request)
    }

    private var currentRule: CVMRule? {
        guard let list, index < list.rules.count else { return nil }
        return list.rules[index]
    }

    private func isEnciphered(_ rule: CVMRule) -> Bool {
        rule.method == .encipheredPIN || rule.method == .encipheredPINAndSignature
    }

    private func offlineMethod(_ rule: CVMRule) -> PINRequest.Method {
        isEnciphered(rule) ? .offlineEnciphered : .offlinePlaintext
    }
}
