import ISO8583
import Money

/// Reads the host's answers. What contradicts its question is no answer.
enum HostAnswer {
    /// What it answers, by its type and its processing code, which an answer repeats.
    static func question(_ message: Message) -> LateAnswer.Question {
        if [.reversalResponse, .reversalAdviceResponse].contains(message.type.first) { return .reversal }
        switch message.text(3)?.prefix(2) {
        case "39": return .inquiry
        case "20": return .refund
        default: return .authorisation
        }
    }

    /// Field 39.
    static func responseCode(_ message: Message) throws(GatewayError) -> ResponseCode {
        guard let code = message.text(39).flatMap(ResponseCode.init) else {
            throw .noAnswer(reason: "the answer has no response code")
        }
        return code
    }

    /// The answer to a sale or refund over `asked`.
    static func authorisation(_ message: Message, asked: Amount) throws(GatewayError) -> AuthorisationResponse {
        let code = try responseCode(message)
        return try authorisation(message, code, asked: asked)
    }

    /// The answer to the advice of a sale over `advised`, which is booked as a whole or refused.
    static func advice(_ message: Message, asked advised: Amount) throws(GatewayError) -> AuthorisationResponse {
        let code = try responseCode(message)
        // The host cannot do it now, which is no answer to the question.
        if ["91", "96"].contains(code.text) { throw .noAnswer(reason: "the host takes no advice now (code \(code))") }
        return try authorisation(message, code, asked: advised)
    }

    /// - Parameter asked: nil when it is not known here: the amount is then that of field 4.
    private static func authorisation(
        _ message: Message, _ code: ResponseCode, asked: Amount?
    ) throws(GatewayError) -> AuthorisationResponse {
        let told = try amount(message, asked?.currency)
        guard let currency = asked?.currency ?? told?.currency else {
            throw .noAnswer(reason: "the answer has no amount")
        }
        let isApproved = code.isApproved || code.isPartial
        var approved = Amount.zero(currency)
        if code.isPartial {
            guard let told, !told.isZero, asked.map({ told < $0 }) ?? true else {
                throw .noAnswer(reason: "a partial approval without a smaller amount")
            }
            approved = told
        } else if code.isApproved {
            guard let amount = told ?? asked, asked == nil || amount == asked else {
                throw .noAnswer(reason: "the answer is for another amount")
            }
            approved = amount
        }
        return AuthorisationResponse(
            responseCode: code, authorisationCode: isApproved ? trimmed(message.text(38)) : nil,
            issuerData: message.bytes(55) ?? [], approvedAmount: approved, accountType: accountType(message),
            bank: trimmed(message.text(44)), hostReference: trimmed(message.text(63)) ?? message.text(37) ?? "")
    }

    static func reversal(_ message: Message) throws(GatewayError) -> ReversalResponse {
        let code = try responseCode(message)
        switch code.text {
        case "00": return .reversed(hostReference: trimmed(message.text(63)) ?? message.text(37) ?? "")
        // Unable to locate the record.
        case "25": return .nothingToReverse
        // The host cannot do it now, which is no answer to the question.
        case "91", "96": throw .noAnswer(reason: "the host cannot reverse now (code \(code))")
        default: return .refused(code)
        }
    }

    /// Field 60 holds a letter and the response code of the attempt: A approved, D declined, R reversed.
    static func status(_ message: Message) throws(GatewayError) -> AttemptStatus {
        let code = try responseCode(message)
        if code.text == "25" { return .notFound }
        guard code.isApproved, let status = message.text(60), let letter = status.first,
            let original = ResponseCode(String(status.dropFirst()))
        else { throw .noAnswer(reason: "the inquiry was not answered (code \(code))") }
        switch letter {
        case "R": return .reversed
        case "A" where original.isApproved || original.isPartial:
            return .approved(try authorisation(message, original, asked: nil))
        case "D" where !original.isApproved && !original.isPartial:
            return .declined(try authorisation(message, original, asked: nil))
        default: throw .noAnswer(reason: "the inquiry's answer contradicts itself")
        }
    }

    private static func amount(_ message: Message, _ expected: Currency?) throws(GatewayError) -> Amount? {
        if let code = message.text(49).flatMap({ UInt16($0) }), let expected, code != expected.numeric {
            throw .noAnswer(reason: "the answer is in another currency")
        }
        guard let text = message.text(4) else { return nil }
        let currency = expected ?? message.text(49).flatMap { UInt16($0) }.flatMap(Currency.init(numeric:))
        guard let currency, let minorUnits = Int64(text) else { return nil }
        return Amount(minorUnits: minorUnits, currency: currency)
    }

    /// Digits 3 and 4 of the processing code: 20 a debit account, 30 credit.
    private static func accountType(_ message: Message) -> AuthorisationResponse.AccountType? {
        switch message.text(3)?.dropFirst(2).prefix(2) {
        case "20": .debit
        case "30": .credit
        default: nil
        }
    }

    private static func trimmed(_ text: String?) -> String? {
        guard let text else { return nil }
        let content = text.drop { $0 == " " }
        guard let end = content.lastIndex(where: { $0 != " " }) else { return nil }
        return String(content[...end])
    }
}
