import Money

/// One rule of the CVM list (Book 3, Annex C3).
struct CVMRule: Sendable, Hashable {
    enum Method: Sendable, Hashable {
        case fail
        case plaintextPIN
        case onlinePIN
        case plaintextPINAndSignature
        case encipheredPIN
        case encipheredPINAndSignature
        case signature
        case noCVM
        /// Biometrics, the payment system's, the issuer's or reserved: not known here.
        case unknown

        var needsPIN: Bool {
            switch self {
            case .plaintextPIN, .onlinePIN, .plaintextPINAndSignature, .encipheredPIN, .encipheredPINAndSignature: true
            default: false
            }
        }

        var includesSignature: Bool {
            self == .signature || self == .plaintextPINAndSignature || self == .encipheredPINAndSignature
        }

        /// The terminal offers every part of the method.
        func isSupported(by capabilities: TerminalCapabilities) -> Bool {
            switch self {
            case .fail: true
            case .plaintextPIN: capabilities.offersPlaintextPIN
            case .onlinePIN: capabilities.offersOnlinePIN
            case .plaintextPINAndSignature: capabilities.offersPlaintextPIN && capabilities.offersSignature
            case .encipheredPIN: capabilities.offersEncipheredPIN
            case .encipheredPINAndSignature: capabilities.offersEncipheredPIN && capabilities.offersSignature
            case .signature: capabilities.offersSignature
            case .noCVM: capabilities.offersNoCVM
            case .unknown: false
            }
        }
    }

    /// As in the list, bit 7 included.
    let code: UInt8
    let condition: UInt8

    /// Bit 7: if this method fails, the next rule is tried.
    var continuesOnFailure: Bool { code & 0x40 != 0 }

    var method: Method {
        switch code & 0x3F {
        case 0x00: .fail
        case 0x01: .plaintextPIN
        case 0x02: .onlinePIN
        case 0x03: .plaintextPINAndSignature
        case 0x04: .encipheredPIN
        case 0x05: .encipheredPINAndSignature
        case 0x1E: .signature
        case 0x1F: .noCVM
        default: .unknown
        }
    }
}

/// Tag 8E (Book 3, 10.5): two amounts and the rules, in order.
struct CVMList: Sendable, Hashable {
    /// X and Y, minor units of the application currency.
    let amountX: Int64
    let amountY: Int64
    let rules: [CVMRule]

    /// Nil when there is no rule, or half of one.
    init?(parsing value: [UInt8]) {
        guard value.count >= 10, value.count % 2 == 0, value.count <= 252 else { return nil }
        amountX = value[0..<4].reduce(0) { $0 << 8 | Int64($1) }
        amountY = value[4..<8].reduce(0) { $0 << 8 | Int64($1) }
        rules = stride(from: 8, to: value.count, by: 2).map { CVMRule(code: value[$0], condition: value[$0 + 1]) }
    }

    /// Whether the rule's condition holds; unknown conditions never do (Annex C3, CVM condition codes).
    func isSatisfied(_ rule: CVMRule, _ context: TransactionContext) -> Bool {
        let type = context.transaction.type
        let terminal = context.terminal.terminalType
        switch rule.condition {
        case 0x00: return true
        case 0x01: return type == .cash && !terminal.isAttended
        case 0x02: return type != .cash && type != .purchaseWithCashback
        case 0x03:
            return rule.method.isSupported(by: context.terminal.capabilities)
        case 0x04: return type == .cash && terminal.isAttended
        case 0x05: return type == .purchaseWithCashback
        case 0x06...0x09:
            guard context.card[.applicationCurrencyCode] == context.value(of: .transactionCurrencyCode) else {
                return false
            }
            let limit = rule.condition <= 0x07 ? amountX : amountY
            let amount = context.transaction.amount.minorUnits
            return rule.condition % 2 == 0 ? amount < limit : amount > limit
        default: return false
        }
    }
}
