import Gateways
public import Ledger
import Money

extension PaymentResult {
    /// The answer of a transaction as the ledger has it: what its caller was told, or would have been.
    public init(_ record: TransactionRecord) {
        let outcome = PaymentState(record.state)?.outcome ?? .unknown
        var response = PaymentResponse(outcome: outcome)
        let info = StatusInfo(code: record.statusCode ?? "", text: record.statusInfo ?? "")
        switch outcome {
        case .approved: response.statusInfo = .none
        case .unknown: response.statusInfo = .unknown
        default: response.statusInfo = info
        }
        if let currency = Currency(numeric: record.currency) {
            response.amount = Amount(minorUnits: record.amount, currency: currency)
            response.tip = Amount(minorUnits: record.tip, currency: currency)
        }
        response.reference = record.reference ?? ""
        response.transactionID = record.id
        response.instalments = Instalments(rawValue: record.msi) ?? .single
        response.creditCard = record.lastFour ?? ""
        response.cardType = record.cardBrand ?? ""
        response.email = record.email ?? ""
        response.phone = record.phone ?? ""
        response.arqc = record.arqc ?? ""
        response.aid = record.aid ?? ""
        response.applicationLabel = record.appLabel ?? ""
        response.url = record.receipt == nil ? "" : record.id
        response.identifier = record.identifier ?? ""
        response.name = record.cardholderName ?? ""
        // Of a payment that did not come about the host's word is no longer anybody's business.
        if outcome == .approved || outcome == .declined {
            response.authorization = record.authorisation ?? ""
        }
        if outcome == .approved || outcome == .declined || record.kind == .refund {
            response.bank = record.bank ?? ""
            response.accountType = record.accountType ?? ""
        }
        self.init(
            response, failure: outcome == .failed ? .recorded(response.statusInfo) : nil,
            returnedAs: outcome == .approved ? record.returnedAs : nil,
            offline: outcome == .approved ? record.offline : nil)
    }
}

extension StatusInfo {
    /// From what the ledger keeps of it. Whatever the ledger does not know any more is `unknown`.
    init(code: String, text: String) {
        guard let listed = Code(rawValue: code) else {
            self = code.isEmpty ? .none : .unknown
            return
        }
        switch listed {
        case .cancelled: self = .cancelled
        case .readerMissing: self = .readerMissing
        case .readerUnusable: self = .readerUnusable
        case .readerLost: self = .readerLost
        case .cardRemoved: self = .cardRemoved
        case .cardFault: self = .cardFault
        case .cardNotAccepted: self = .cardNotAccepted
        case .expired: self = .expired
        case .busy: self = .busy
        case .notFound: self = .notFound
        case .notApproved: self = .notApproved
        case .tooSoon: self = .tooSoon
        case .tooLate: self = .tooLate
        case .tooMuch: self = .tooMuch
        case .unknown: self = .unknown
        case .reversed: self = .reversed
        case .reversedReaderLost: self = .reversedReaderLost
        case .interrupted: self = .interrupted
        case .declinedByOperator: self = .declinedByOperator
        case .duplicate: self = .duplicate
        case .cardDeclined: self = .cardDeclined
        case .storageFailed: self = .storageFailed
        case .issuerDeclined:
            let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            self = .issuerDeclined(code: parts.first ?? "", text: parts.dropFirst().first ?? "")
        case .hostError:
            let last = text.split(separator: " ").last.map(String.init) ?? ""
            // Rows of earlier versions hold the name instead of the number.
            let error = GatewayError.Code.allCases.first { last == String($0.number) || last == $0.rawValue }
            self = error.map { .hostError($0) } ?? .unknown
        // Told before there is a transaction.
        case .missingField, .invalidField, .invalidToken, .photoRequired, .msiMinimum, .notConfigured: self = .unknown
        }
    }
}
