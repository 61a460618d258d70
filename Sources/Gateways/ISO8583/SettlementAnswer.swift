import ISO8583
import Money

/// Reads the host's answer to a batch. What contradicts its question, or itself, is no answer.
enum SettlementAnswer {
    /// Field 39 is 00 when the batch is closed, and 95 when it is not because the totals differ; field 66 is 1 when they
    /// agree and 2 when they do not.
    static func read(
        _ message: Message, to request: SettlementRequest
    ) throws(GatewayError) -> SettlementResponse {
        let code = try HostAnswer.responseCode(message)
        guard message.text(60).map({ Int64($0) == request.batch }) ?? true else {
            throw .noAnswer(reason: "the answer is for another batch")
        }
        let currency = request.totals.currency
        guard message.text(49).map({ UInt16($0) == currency.numeric }) ?? true else {
            throw .noAnswer(reason: "the answer is in another currency")
        }
        let isClosed: Bool
        switch code.text {
        case "00": isClosed = true
        case "95": isClosed = false
        default: throw .noAnswer(reason: "the host has not compared the batch (code \(code))")
        }
        var totals: BatchTotals?
        if message.hasTotals {
            totals = message.totals(in: currency)
            guard totals != nil else { throw .noAnswer(reason: "the host's totals contradict themselves") }
        }
        let differs: Bool
        switch message.text(66) {
        case "1": differs = false
        case "2": differs = true
        case nil: differs = totals.map { !$0.agrees(with: request.totals) } ?? !isClosed
        default: throw .noAnswer(reason: "the host has not compared the batch")
        }
        guard totals.map({ $0.agrees(with: request.totals) != differs }) ?? true, isClosed || differs else {
            throw .noAnswer(reason: "the answer about the batch contradicts itself")
        }
        return differs ? .differs(totals, isClosed: isClosed) : .agreed(totals)
    }
}
