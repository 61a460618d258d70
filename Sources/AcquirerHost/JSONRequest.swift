import EMV
import FoundationEssentials
import Gateways
import ISO8583
import Money

/// One line of the JSON protocol. See docs/iso8583.md.
struct JSONRequest: Decodable {
    let id: String
    let operation: String
    let attempt: String?
    let originalAttempt: String?
    /// Two decimals.
    let amount: String?
    let tip: String?
    let currency: String?
    let instalments: Int?
    let pan: String?
    let panSequenceNumber: UInt8?
    /// Hexadecimal, as in field 126 of ISO 8583; instead of `pan` and `expiry`.
    let encryptedCard: String?
    /// YYMM.
    let expiry: String?
    let entryMode: String?
    /// Hexadecimal.
    let chipData: String?
    let terminalId: String?
    let merchantId: String?
    let country: UInt16?
    /// YYMMDD.
    let date: String?
    /// hhmmss.
    let time: String?
    let reason: String?
    /// `Y1` or `Y3`.
    let approval: String?
    let batch: Int64?
    let sales: Int?
    /// Minor units, as the host's own totals have them.
    let salesAmount: Int64?
    let refunds: Int?
    let refundsAmount: Int64?
    let closesAnyway: Bool?

    /// Nil when it is no object of this form.
    init?(line: ArraySlice<UInt8>) {
        guard let request = try? JSONDecoder().decode(JSONRequest.self, from: Data(line)), request.id.utf8.count <= 64
        else {
            return nil
        }
        self = request
    }

    /// Nil when something is missing or has no such value.
    func request() -> HostRequest? {
        switch operation {
        case "authorise": authorisation().map { .authorisation($0) }
        case "advise": advice()
        case "refund": refund()
        case "reverse": reversal()
        case "status": attempt.flatMap(AttemptID.init).map { .status($0) }
        case "echo": .network
        case "settle": settlement()
        case "totals": moneyCurrency.map { .reconciliation($0) }
        default: nil
        }
    }

    private var moneyCurrency: Currency? { Currency(code: currency ?? "MXN") }

    private func money(_ text: String?) -> Amount? {
        guard let text, let moneyCurrency else { return nil }
        return try? Amount(parsing: text, currency: moneyCurrency)
    }

    private var chip: [UInt8]? { HexDigits.decode(Array((chipData ?? "").utf8)) }

    private var terminal: TerminalIdentity {
        TerminalIdentity(terminalID: terminalId ?? "", merchantID: merchantId ?? "", country: country ?? 0)
    }

    private var moment: LocalDateTime? {
        guard let date = HexDigits.decode(Array((date ?? "").utf8)),
            let time = HexDigits.decode(Array((time ?? "").utf8))
        else { return nil }
        return LocalDateTime(date: date, time: time)
    }

    private var account: AccountData? {
        if let encryptedCard {
            guard pan == nil else { return nil }
            return EncryptedCardField.decode(encryptedCard).map(AccountData.encrypted)
        }
        guard let card, let month = HexDigits.decode(Array((expiry ?? "").utf8)), let expiry = CardExpiry(bcd: month)
        else { return nil }
        return .clear(card, expiry)
    }

    private var card: PAN? { pan.flatMap { PAN(digits: $0.utf8.map { $0 &- 0x30 }) } }

    private func advice() -> HostRequest? {
        guard let approval = approval.flatMap(OfflineAdvice.Approval.init), let request = authorisation() else {
            return nil
        }
        return OfflineAdvice(request, approval).map { .advice($0) }
    }

    private func authorisation() -> AuthorisationRequest? {
        guard let attempt = attempt.flatMap(AttemptID.init), let amount = money(amount), let account, let moment,
            let chip, let mode = entryMode.flatMap(EntryMode.init)
        else { return nil }
        let tip = tip == nil ? Amount.zero(amount.currency) : money(tip)
        guard let tip else { return nil }
        return AuthorisationRequest(
            attempt: attempt, amount: amount, tip: tip, instalments: instalments ?? 1, account: account,
            panSequenceNumber: panSequenceNumber, entryMode: mode, chipData: chip, terminal: terminal, moment: moment)
    }

    private func refund() -> HostRequest? {
        guard let attempt = attempt.flatMap(AttemptID.init), let original = originalAttempt.flatMap(AttemptID.init),
            let amount = money(amount), let moment, let chip
        else { return nil }
        return .refund(
            RefundAuthorisation(
                attempt: attempt, originalAttempt: original, amount: amount, pan: card, chipData: chip,
                terminal: terminal, moment: moment))
    }

    private func reversal() -> HostRequest? {
        guard let attempt = attempt.flatMap(AttemptID.init), let amount = money(amount), let chip,
            let reason = ReversalRequest.Reason(rawValue: reason ?? "noAnswer")
        else { return nil }
        return .reversal(ReversalRequest(attempt: attempt, amount: amount, reason: reason, chipData: chip))
    }

    private func settlement() -> HostRequest? {
        guard let batch, let moneyCurrency, let sales, let salesAmount, let refunds, let refundsAmount else {
            return nil
        }
        let totals = BatchTotals(
            currency: moneyCurrency, sales: BatchTotals.Tally(count: sales, minorUnits: salesAmount),
            refunds: BatchTotals.Tally(count: refunds, minorUnits: refundsAmount))
        return .settlement(
            SettlementRequest(batch: batch, terminal: terminal, totals: totals, closesAnyway: closesAnyway ?? false))
    }
}
