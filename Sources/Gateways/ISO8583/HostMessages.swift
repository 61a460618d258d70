import EMV
import ISO8583
import Money

/// The messages that the gateway sends. docs/iso8583.md lists their fields.
struct HostMessages: Sendable {
    let options: ISO8583GatewayOptions
    /// Of messages that do not belong to a request of the pipeline's.
    let terminal: TerminalIdentity

    /// Throws `badRequest` when encrypted card data do not fit.
    func sale(
        _ request: AuthorisationRequest, _ trace: TraceRecord, isRepeat: Bool
    ) throws(GatewayError) -> Message {
        var message = start(trace, request.terminal, isRepeat: isRepeat)
        message.set(3, "000000")
        switch request.account {
        case .clear(let pan, let expiry):
            message.set(2, Self.digits(pan))
            message.set(14, TraceRecord.padded(expiry.year % 100, 2) + TraceRecord.padded(expiry.month, 2))
        case .encrypted(let data):
            message.set(EncryptedCardField.field, try EncryptedCardField.encode(data))
        }
        message.set(22, request.entryMode.code + "1")
        if let number = request.panSequenceNumber { message.set(23, TraceRecord.padded(Int(number), 3)) }
        if request.instalments > 1 { message.set(48, "MSI" + TraceRecord.padded(request.instalments, 2)) }
        if !request.tip.isZero {
            let (currency, tip) = (trace.currency, request.tip.minorUnits)
            message.set(54, "0044" + TraceRecord.padded(Int(currency), 3) + "C" + Self.padded(tip))
        }
        if !request.chipData.isEmpty { message.set(55, request.chipData) }
        if let block = request.pinBlock { PINFields.write(block, to: &message) }
        return message
    }

    /// Field 39 says how the terminal approved it.
    func advice(
        _ advice: OfflineAdvice, _ trace: TraceRecord, isRepeat: Bool
    ) throws(GatewayError) -> Message {
        var message = try sale(advice.request, trace, isRepeat: isRepeat)
        message.set(39, advice.approval.rawValue)
        return message
    }

    func refund(_ request: RefundAuthorisation, _ trace: TraceRecord, isRepeat: Bool) -> Message {
        var message = start(trace, request.terminal, isRepeat: isRepeat)
        if let pan = request.pan { message.set(2, Self.digits(pan)) }
        message.set(3, "200000")
        message.set(22, request.pan == nil ? "010" : "051")
        if !request.chipData.isEmpty { message.set(55, request.chipData) }
        if options.sendsAttempts { message.set(63, request.originalAttempt.text) }
        return message
    }

    /// - Parameter original: nil when the attempt is known by its own identity only.
    func reversal(
        _ request: ReversalRequest, _ trace: TraceRecord, of original: TraceRecord?, isRepeat: Bool
    ) -> Message {
        var message = start(trace, terminal, isRepeat: isRepeat)
        message.set(3, original?.kind == .refund ? "200000" : "000000")
        message.set(39, Self.reason(request.reason))
        if !request.chipData.isEmpty { message.set(55, request.chipData) }
        let elements =
            (original?.messageType ?? "0000") + (original?.stanText ?? "000000")
            + (original?.transmission ?? "0000000000")
        let acquirer =
            String(repeating: "0", count: 11 - (options.acquirer ?? "").utf8.count) + (options.acquirer ?? "")
        message.set(90, elements + acquirer + String(repeating: "0", count: 11))
        return message
    }

    func inquiry(_ trace: TraceRecord) -> Message {
        var message = start(trace, terminal, isRepeat: false)
        message.set(3, "390000")
        message[4] = nil
        message[49] = nil
        return message
    }

    /// The totals of a batch (ISO 8583:1987): 74 and 86 credits, which are refunds, 76 and 88 debits, which are
    /// sales; their reversals in 75, 87, 77 and 89; 97 the net amount; 60 the batch (ours).
    func settlement(_ request: SettlementRequest, _ trace: TraceRecord) -> Message {
        var message = Message(.reconciliationRequest)
        message.set(3, request.closesAnyway ? "960000" : "920000")
        message.set(7, trace.transmission)
        message.set(11, trace.stanText)
        if let acquirer = options.acquirer { message.set(32, acquirer) }
        message.set(37, trace.retrievalReference)
        message.set(41, Self.filled(request.terminal.terminalID, 8))
        message.set(42, Self.filled(request.terminal.merchantID, 15))
        message.set(49, TraceRecord.padded(Int(request.totals.currency.numeric), 3))
        message.set(60, TraceRecord.padded(Int(request.batch), 6))
        message.setTotals(request.totals)
        return message
    }

    /// - Parameter function: field 70, `001` sign-on, `301` echo.
    func network(_ function: String, _ trace: TraceRecord) -> Message {
        var message = Message(.networkManagementRequest)
        message.set(7, trace.transmission)
        message.set(11, trace.stanText)
        message.set(41, Self.filled(terminal.terminalID, 8))
        message.set(70, function)
        return message
    }

    private func start(_ trace: TraceRecord, _ terminal: TerminalIdentity, isRepeat: Bool) -> Message {
        let type = MessageType(trace.messageType) ?? .financialRequest
        var message = Message(isRepeat ? type.repeated : type)
        message.set(4, Self.padded(trace.minorUnits))
        message.set(7, trace.transmission)
        message.set(11, trace.stanText)
        message.set(12, String(trace.local.suffix(6)))
        message.set(13, String(trace.local.prefix(4)))
        message.set(19, TraceRecord.padded(Int(terminal.country), 3))
        message.set(25, "00")
        if let acquirer = options.acquirer { message.set(32, acquirer) }
        message.set(37, trace.retrievalReference)
        message.set(41, Self.filled(terminal.terminalID, 8))
        message.set(42, Self.filled(terminal.merchantID, 15))
        message.set(49, TraceRecord.padded(Int(trace.currency), 3))
        if options.sendsAttempts, let attempt = trace.attempt { message.set(62, attempt.text) }
        return message
    }

    /// Field 39 of a reversal (ISO 8583:1987, table A.1): 17 customer cancellation, 22 suspected malfunction, 68 response
    /// received too late.
    private static func reason(_ reason: ReversalRequest.Reason) -> String {
        switch reason {
        case .noAnswer: "68"
        case .cardDeclined, .restart: "22"
        case .cardRemoved, .void: "17"
        }
    }

    private static func digits(_ pan: PAN) -> String {
        pan.withDigits { digits in String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self) }
    }

    private static func padded(_ minorUnits: Int64) -> String {
        let text = String(minorUnits)
        return String(repeating: "0", count: max(0, 12 - text.utf8.count)) + text
    }

    private static func filled(_ text: String, _ count: Int) -> String {
        text + String(repeating: " ", count: max(0, count - text.utf8.count))
    }
}
