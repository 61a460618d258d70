import ISO8583
import Money
public import Transport

extension ISO8583Gateway {
    public var answersInquiries: Bool { messages.options.inquiry != .none }

    public func authorise(
        _ request: AuthorisationRequest, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try request.validate()
        let (record, isNew) = try await trace.take(
            request.attempt, .sale, type: messages.options.authorisation.rawValue, local: Self.local(request.moment),
            minorUnits: request.amount.minorUnits, currency: request.amount.currency.numeric)
        try Self.check(record, request.amount, isNew)
        let answer = try await exchange(
            try messages.sale(request, record, isRepeat: !isNew), request.attempt, until: deadline)
        return try HostAnswer.authorisation(answer, asked: request.amount)
    }

    public func forward(
        _ advice: OfflineAdvice, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try advice.validate()
        let request = advice.request
        let (record, isNew) = try await trace.take(
            request.attempt, .advice, type: "0220", local: Self.local(request.moment),
            minorUnits: request.amount.minorUnits, currency: request.amount.currency.numeric)
        try Self.check(record, request.amount, isNew)
        let answer = try await exchange(
            try messages.advice(advice, record, isRepeat: !isNew), request.attempt, until: deadline)
        return try HostAnswer.advice(answer, asked: request.amount)
    }

    public func refund(
        _ request: RefundAuthorisation, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try request.validate()
        let (record, isNew) = try await trace.take(
            request.attempt, .refund, type: "0200", local: Self.local(request.moment),
            minorUnits: request.amount.minorUnits, currency: request.amount.currency.numeric)
        try Self.check(record, request.amount, isNew)
        let answer = try await exchange(
            messages.refund(request, record, isRepeat: !isNew), request.attempt, until: deadline)
        return try HostAnswer.authorisation(answer, asked: request.amount)
    }

    public func reverse(
        _ request: ReversalRequest, until deadline: Deadline
    ) async throws(GatewayError) -> ReversalResponse {
        // Of a sale that was approved offline, what the host may have booked is the advice.
        var original = try await trace.record(of: request.attempt, .advice)
        if original == nil { original = try await trace.record(of: request.attempt, .sale) }
        if original == nil { original = try await trace.record(of: request.attempt, .refund) }
        guard original != nil || messages.options.sendsAttempts else {
            throw .notSent(reason: "nothing is known here of the attempt that is to be reversed")
        }
        let (record, isNew) = try await trace.take(
            request.attempt, .reversal, type: messages.options.reversal.rawValue, local: original?.local,
            retrievalReference: original?.retrievalReference, minorUnits: request.amount.minorUnits,
            currency: request.amount.currency.numeric)
        let message = messages.reversal(request, record, of: original, isRepeat: !isNew)
        return try HostAnswer.reversal(try await exchange(message, request.attempt, until: deadline))
    }

    public func status(
        of attempt: AttemptID, until deadline: Deadline
    ) async throws(GatewayError) -> AttemptStatus {
        guard messages.options.inquiry == .private else {
            throw .noAnswer(reason: "this host cannot be asked about an attempt")
        }
        let (record, _) = try await trace.take(attempt, .other, type: "0100")
        return try HostAnswer.status(try await exchange(messages.inquiry(record), attempt, until: deadline))
    }

    public func settle(
        _ request: SettlementRequest, until deadline: Deadline
    ) async throws(GatewayError) -> SettlementResponse {
        try request.validate()
        guard messages.options.settlement == .reconciliation else { return .notKept }
        // A repeat needs no number of its first time: the host knows the batch by its own.
        let (record, _) = try await trace.take(nil, .other, type: "0500")
        let message = messages.settlement(request, record)
        return try SettlementAnswer.read(try await exchange(message, nil, until: deadline), to: request)
    }

    /// MMDDhhmmss.
    private static func local(_ moment: LocalDateTime) -> String {
        (moment.date.dropFirst() + moment.time).map { byte in
            String(byte >> 4) + String(byte & 0x0F)
        }
        .joined()
    }

    /// The identity has been sent for another sum before: what became of that is another question.
    private static func check(_ record: TraceRecord, _ amount: Amount, _ isNew: Bool) throws(GatewayError) {
        guard isNew || (record.minorUnits == amount.minorUnits && record.currency == amount.currency.numeric) else {
            throw .noAnswer(reason: "the attempt was used before for something else")
        }
    }
}
