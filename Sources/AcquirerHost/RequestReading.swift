import BERTLV
import EMV
import Gateways
import ISO8583
import Money

/// From a message to what is asked. Nil when fields are missing or contradict each other: a format error.
struct RequestReading {
    let message: Message
    /// Full year for fields 12 and 13, which have none; the chip's own date (tag 9A) is believed first.
    let presentYear: Int

    func request() -> HostRequest? {
        switch message.type.first {
        case .networkManagementRequest: .network
        case .reconciliationRequest where message.text(60) != nil: settlement()
        case .reconciliationRequest: currency.map { .reconciliation($0) }
        case .reversalRequest, .reversalAdvice: reversal()
        case .authorisationRequest where message.text(3)?.hasPrefix("39") == true: attempt.map { .status($0) }
        case .authorisationRequest, .financialRequest:
            message.text(3)?.hasPrefix("20") == true ? refund() : sale().map { .authorisation($0) }
        case .financialAdvice: advice()
        default: nil
        }
    }

    private var currency: Currency? { message.text(49).flatMap { UInt16($0) }.flatMap(Currency.init(numeric:)) }

    private var amount: Amount? {
        guard let currency, let minorUnits = message.text(4).flatMap({ Int64($0) }) else { return nil }
        return Amount(minorUnits: minorUnits, currency: currency)
    }

    /// Field 62, or what a host without private fields knows an attempt by.
    private var attempt: AttemptID? {
        if let text = message.text(62) { return AttemptID(text) }
        guard let reference = message.text(37), let terminal = message.text(41) else { return nil }
        return AttemptID((reference + "/" + terminal).replacing(" ", with: "_"))
    }

    /// Field 39 holds how the terminal approved it: Y1 or Y3.
    private func advice() -> HostRequest? {
        guard let approval = message.text(39).flatMap(OfflineAdvice.Approval.init), let request = sale() else {
            return nil
        }
        return OfflineAdvice(request, approval).map { .advice($0) }
    }

    private func sale() -> AuthorisationRequest? {
        guard let attempt, let amount, let account, let entryMode, let moment, let tip else { return nil }
        let pinBlock: PINBlock?
        switch PINFields.read(message) {
        case .absent: pinBlock = nil
        case .block(let block): pinBlock = block
        case .malformed: return nil
        }
        let sequenceNumber = message.text(23).flatMap { UInt8($0) }
        guard (sequenceNumber == nil) == (message.text(23) == nil) else { return nil }
        return AuthorisationRequest(
            attempt: attempt, amount: amount, tip: tip, instalments: instalments, account: account,
            panSequenceNumber: sequenceNumber, entryMode: entryMode, chipData: message.bytes(55) ?? [],
            pinBlock: pinBlock, terminal: terminal, moment: moment)
    }

    private func refund() -> HostRequest? {
        guard let attempt, let amount, let moment, let original = message.text(63).flatMap(AttemptID.init) else {
            return nil
        }
        return .refund(
            RefundAuthorisation(
                attempt: attempt, originalAttempt: original, amount: amount, pan: pan,
                chipData: message.bytes(55) ?? [], terminal: terminal, moment: moment))
    }

    private func reversal() -> HostRequest? {
        guard let attempt, let amount else { return nil }
        let reason: ReversalRequest.Reason =
            switch message.text(39) {
            case "17": .void
            case "22": .cardDeclined
            default: .noAnswer
            }
        return .reversal(
            ReversalRequest(
                attempt: attempt, amount: amount, reason: reason, chipData: message.bytes(55) ?? []))
    }

    /// Field 60 is the batch; processing code 96 closes it whatever the totals are.
    private func settlement() -> HostRequest? {
        guard let currency, let batch = message.text(60).flatMap({ Int64($0) }),
            let totals = message.totals(in: currency)
        else { return nil }
        return .settlement(
            SettlementRequest(
                batch: batch, terminal: terminal, totals: totals,
                closesAnyway: message.text(3)?.hasPrefix("96") == true))
    }

    /// In clear in fields 2 and 14, or as a secured reader has encrypted it in field 126; never both.
    private var account: AccountData? {
        guard let sealed = message.text(EncryptedCardField.field) else {
            guard let pan, let expiry else { return nil }
            return .clear(pan, expiry)
        }
        guard message.text(2) == nil else { return nil }
        return EncryptedCardField.decode(sealed).map(AccountData.encrypted)
    }

    private var pan: PAN? { message.text(2).flatMap { PAN(digits: $0.utf8.map { $0 &- 0x30 }) } }

    private var expiry: CardExpiry? {
        guard let text = message.text(14), let year = Int(text.prefix(2)), let month = Int(text.suffix(2)) else {
            return nil
        }
        return CardExpiry(year: year < 50 ? 2000 + year : 1900 + year, month: month)
    }

    private var entryMode: EntryMode? {
        let code = message.text(22)?.prefix(2)
        return EntryMode.allCases.first { $0.code == code.map(String.init) }
    }

    private var instalments: Int {
        message.text(48).flatMap { $0.hasPrefix("MSI") ? Int($0.dropFirst(3).prefix(2)) : nil } ?? 1
    }

    /// Field 54: account 00, kind 44 (tip), currency, C, twelve digits.
    private var tip: Amount? {
        guard let currency = amount?.currency else { return nil }
        guard let text = message.text(54) else { return .zero(currency) }
        guard text.count == 20, text.hasPrefix("0044"), let minorUnits = Int64(text.suffix(12)) else { return nil }
        return Amount(minorUnits: minorUnits, currency: currency)
    }

    private var terminal: TerminalIdentity {
        func trimmed(_ number: Int) -> String {
            var text = message.text(number) ?? ""
            while text.hasSuffix(" ") { text.removeLast() }
            return text
        }
        return TerminalIdentity(
            terminalID: trimmed(41), merchantID: trimmed(42), country: message.text(19).flatMap { UInt16($0) } ?? 0)
    }

    private var moment: LocalDateTime? {
        guard let time = message.text(12).flatMap(Self.packed), let day = message.text(13).flatMap(Self.packed) else {
            return nil
        }
        let chip = TLVTree(parsing: message.bytes(55) ?? [], options: TLVOptions(depthLimit: 4, sizeLimit: 999))
        let chipDate = chip.nodes.first { $0.tag == 0x9A }.map(chip.value(of:)) ?? []
        let year = UInt8((presentYear % 100 / 10) << 4 | presentYear % 10)
        return LocalDateTime(date: chipDate.count == 3 ? chipDate : [year] + day, time: time)
    }

    private static func packed(_ digits: String) -> [UInt8]? {
        HexDigits.decode(Array(digits.utf8))
    }
}
