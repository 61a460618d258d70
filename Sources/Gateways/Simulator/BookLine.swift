import Money
import Transport

/// One line of the simulated host's book on disk: what came in, and how it was ruled on. Lines are replayed in order, so
/// that every process that shares the book comes to the same figures. No card data is in them.
enum BookLine: Sendable {
    case answered(AttemptID, SimulatorRecord)
    case reversed(ReversalRequest)
    case settled(SettlementRequest)

    /// Fields with one space between them; nil is `-`, and free text is `x` and the hex digits of its UTF-8.
    var text: String {
        let fields: [String] =
            switch self {
            case .answered(let attempt, let record): ["answered", attempt.text] + Self.fields(record)
            case .reversed(let request):
                [
                    "reversed", request.attempt.text, String(request.amount.currency.numeric),
                    String(request.amount.minorUnits), request.reason.rawValue,
                ]
            case .settled(let request): ["settled"] + Self.fields(request)
            }
        return fields.joined(separator: " ")
    }

    /// Nil when the line is damaged.
    init?(_ line: String) {
        let fields = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard fields.count >= 2, let attempt = AttemptID(fields[1]) else { return nil }
        switch (fields[0], fields.count) {
        case ("settled", 10):
            guard let request = SettlementRequest(bookFields: fields) else { return nil }
            self = .settled(request)
        // Lines of the first version do not tell the terminal.
        case ("answered", 14), ("answered", 16):
            guard let record = Self.record(fields) else { return nil }
            self = .answered(attempt, record)
        case ("reversed", 5):
            guard let amount = Self.amount(fields[3], currency: fields[2]),
                let reason = ReversalRequest.Reason(rawValue: fields[4])
            else { return nil }
            self = .reversed(ReversalRequest(attempt: attempt, amount: amount, reason: reason))
        default:
            return nil
        }
    }

    private static func fields(_ record: SimulatorRecord) -> [String] {
        let response = record.response
        let followsTable = record.behaviour == TestAmount(minorUnits: record.asked.minorUnits)
        return [
            record.kind.rawValue, String(record.asked.currency.numeric), String(record.asked.minorUnits),
            String(response.approvedAmount.minorUnits), response.responseCode.text,
            response.authorisationCode ?? "-", hidden(response.issuerData), response.accountType?.rawValue ?? "-",
            hidden(response.bank), response.hostReference,
            record.original?.text ?? "-", followsTable ? "table" : "approve",
            hidden(record.terminal?.terminalID), hidden(record.terminal?.merchantID),
        ]
    }

    private static func fields(_ request: SettlementRequest) -> [String] {
        let (sales, refunds) = (request.totals.standingSales, request.totals.standingRefunds)
        return [
            String(request.batch), hidden(request.terminal.terminalID), hidden(request.terminal.merchantID),
            String(request.totals.currency.numeric), String(sales.count), String(sales.minorUnits),
            String(refunds.count), String(refunds.minorUnits), request.closesAnyway ? "anyway" : "agreed",
        ]
    }

    private static func record(_ fields: [String]) -> SimulatorRecord? {
        guard let kind = BookEntry.Kind(rawValue: fields[2]), let asked = amount(fields[4], currency: fields[3]),
            let approved = amount(fields[5], currency: fields[3]), let code = ResponseCode(fields[6]),
            let issuerData = shown(fields[8]), ["table", "approve"].contains(fields[13])
        else { return nil }
        let account = AuthorisationResponse.AccountType(rawValue: fields[9])
        let bank = shown(fields[10])
        guard (account == nil) == (fields[9] == "-"), (bank == nil) == (fields[10] == "-") else { return nil }
        return SimulatorRecord(
            asked: asked, kind: kind,
            response: AuthorisationResponse(
                responseCode: code, authorisationCode: fields[7] == "-" ? nil : fields[7], issuerData: issuerData,
                approvedAmount: approved, accountType: account, bank: bank.map { String(decoding: $0, as: UTF8.self) },
                hostReference: fields[11]),
            behaviour: fields[13] == "table" ? TestAmount(minorUnits: asked.minorUnits) : .approve,
            // The instants of another process mean nothing here: its answer has been thought over by now.
            availableAt: MonotonicInstant(nanoseconds: 0), original: fields[12] == "-" ? nil : AttemptID(fields[12]),
            terminal: terminal(fields.dropFirst(14)))
    }

    private static func terminal(_ fields: ArraySlice<String>) -> BookTerminal? {
        guard fields.count == 2, let terminal = fields.first.flatMap(text(of:)),
            let merchant = fields.last.flatMap(text(of:))
        else { return nil }
        return BookTerminal(terminalID: terminal, merchantID: merchant)
    }

    /// Free text as it was; nil is nil, and so is what is none.
    static func text(of field: String) -> String? { shown(field).map { String(decoding: $0, as: UTF8.self) } }

    private static func hidden(_ text: String?) -> String { text.map { hidden(Array($0.utf8)) } ?? "-" }

    private static func amount(_ minorUnits: String, currency: String) -> Amount? {
        guard let number = Int64(minorUnits), let currency = UInt16(currency).flatMap(Currency.init(numeric:)) else {
            return nil
        }
        return Amount(minorUnits: number, currency: currency)
    }

    private static func hidden(_ bytes: [UInt8]) -> String {
        "x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func shown(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8.dropFirst())
        guard text.hasPrefix("x"), digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}

extension SettlementRequest {
    /// Nil when the line is damaged.
    fileprivate init?(bookFields fields: [String]) {
        let numbers = fields[5...8].compactMap { Int64($0) }
        guard let batch = Int64(fields[1]), let terminal = BookLine.text(of: fields[2]),
            let merchant = BookLine.text(of: fields[3]),
            let currency = UInt16(fields[4]).flatMap(Currency.init(numeric:)), numbers.count == 4,
            let sales = Int(exactly: numbers[0]), let refunds = Int(exactly: numbers[2]),
            ["anyway", "agreed"].contains(fields[9])
        else { return nil }
        self.init(
            batch: batch, terminal: TerminalIdentity(terminalID: terminal, merchantID: merchant, country: 0),
            totals: BatchTotals(
                currency: currency, sales: BatchTotals.Tally(count: sales, minorUnits: numbers[1]),
                refunds: BatchTotals.Tally(count: refunds, minorUnits: numbers[3])),
            closesAnyway: fields[9] == "anyway")
    }
}
