import Gateways
import ISO8583
import Money

/// From what the host says to a message.
struct ReplyWriting {
    let request: Message

    /// Nil when nothing is said.
    func message(_ reply: HostReply) -> Message? {
        guard let type = request.type.response, let code = reply.responseCode else { return nil }
        var message = Message(type)
        for number in [3, 4, 7, 11, 12, 13, 32, 37, 41, 42, 49, 62, 70] { message[number] = request[number] }
        message.set(39, code.text)
        switch reply {
        case .authorised(let response): write(response, to: &message)
        case .reversal(.reversed(let reference)): message.set(63, reference)
        case .status(let status): write(status, to: &message)
        case .totals(let totals): write(totals, to: &message)
        case .settlement(let response): write(response, to: &message)
        case .reversal, .accepted, .refused, .silence, .garbage: break
        }
        return message
    }

    private func write(_ response: AuthorisationResponse, to message: inout Message) {
        if !response.approvedAmount.isZero { message.set(4, Self.padded(response.approvedAmount.minorUnits, 12)) }
        let account = response.accountType.map { $0 == .credit ? "30" : "20" } ?? "00"
        message.set(3, String((message.text(3) ?? "000000").prefix(2)) + account + "00")
        if let code = response.authorisationCode { message.set(38, code) }
        if let bank = response.bank { message.set(44, String(bank.filter(\.isASCII).prefix(25))) }
        if !response.issuerData.isEmpty { message.set(55, response.issuerData) }
        message.set(63, response.hostReference)
    }

    private func write(_ status: AttemptStatus, to message: inout Message) {
        switch status {
        case .approved(let response):
            write(response, to: &message)
            message.set(49, Self.padded(Int64(response.approvedAmount.currency.numeric), 3))
            message.set(60, "A" + response.responseCode.text)
        case .declined(let response):
            write(response, to: &message)
            message.set(4, Self.padded(0, 12))
            message.set(49, Self.padded(Int64(response.approvedAmount.currency.numeric), 3))
            message.set(60, "D" + response.responseCode.text)
        case .reversed: message.set(60, "R00")
        case .notFound: break
        }
    }

    /// ISO 8583:1987: 74 and 86 credits (refunds), 75 and 77 reversals, 76 and 88 debits (sales), 97 the net amount.
    private func write(_ totals: HostTotals, to message: inout Message) {
        message.set(74, Self.padded(Int64(totals.refunds), 10))
        message.set(76, Self.padded(Int64(totals.sales), 10))
        message.set(77, Self.padded(Int64(totals.reversals), 10))
        message.set(86, Self.padded(totals.refundsAmount, 16))
        message.set(88, Self.padded(totals.salesAmount, 16))
        message.set(97, (totals.net < 0 ? "D" : "C") + Self.padded(abs(totals.net), 16))
    }

    /// Field 66: 1 in balance, 2 out of balance.
    private func write(_ response: SettlementResponse, to message: inout Message) {
        message[60] = request[60]
        switch response {
        case .agreed(let totals):
            message.set(66, "1")
            if let totals { message.setTotals(totals) }
        case .differs(let totals, _):
            message.set(66, "2")
            if let totals { message.setTotals(totals) }
        case .notKept: break
        }
    }

    static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
