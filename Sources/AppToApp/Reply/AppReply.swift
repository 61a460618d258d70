public import JSONText
import Money
public import Payments

/// What goes back to the app that asked. It has no place for the user token.
public struct AppReply: Sendable, Hashable {
    public let result: ReplyResult
    /// Everything but `result`. An empty text is absent, except for `statusinfo`.
    private var values: [ReplyKey: String]

    /// Nil when absent.
    public subscript(key: ReplyKey) -> String? {
        key == .result ? result.rawValue : values[key]
    }

    /// - Parameters:
    ///   - response: what the payment came to.
    ///   - call: what was asked for; what it sent goes back as it was sent.
    public init(_ response: PaymentResponse, to call: AppCall) {
        var values = call.echo
        if case .success(let request) = call.request, case .sale = request.operation {
            values[.msi] = String(response.instalments.rawValue)
        }
        self.init(values, response)
    }

    /// The reply to the same request, now that more is known about its payment.
    public func updated(_ response: PaymentResponse) -> AppReply {
        AppReply(values, response)
    }

    /// - Parameter values: what was sent, with `msi` for a sale.
    private init(_ sent: [ReplyKey: String], _ response: PaymentResponse) {
        var values = sent
        values[.statusinfo] = response.statusInfo.text
        values[.amount] = response.amount?.description ?? sent[.amount]
        values[.transactionid] = response.transactionID
        values[.authorization] = response.authorization
        values[.creditcard] = response.creditCard
        values[.cardtype] = response.cardType
        values[.arqc] = response.arqc
        values[.aid] = response.aid
        values[.applabel] = response.applicationLabel
        values[.url] = response.url
        values[.bank] = response.bank
        values[.accountType] = response.accountType
        values[.name] = response.name
        values[.version] = ProductVersion.text
        // Only a sale has these two.
        if sent[.msi] != nil {
            if sent[.tip] != nil, let tip = response.tip { values[.tip] = tip.description }
            values[.msi] = String(response.instalments.rawValue)
        }
        values[.outcome] = response.outcome == .unknown ? response.outcome.rawValue : nil
        self.init(ReplyResult(rawValue: response.outcome.result) ?? .error, values)
    }

    /// The reply to a request that was not carried out.
    public init(_ problem: AppProblem, to call: AppCall) {
        var values = call.echo
        values[.statusinfo] = problem.statusInfo.text
        values[.version] = ProductVersion.text
        self.init(.error, values)
    }

    private init(_ result: ReplyResult, _ values: [ReplyKey: String]) {
        self.result = result
        self.values = values.filter { $0.key != .result && ($0.key == .statusinfo || !$0.value.isEmpty) }
    }

    /// Present keys in order.
    public var fields: [(key: ReplyKey, value: String)] {
        ReplyKey.allCases.compactMap { key in self[key].map { (key, $0) } }
    }

    /// `k=v&k=v`, as it stands behind the address.
    public var query: String {
        fields.map { "\($0.key.rawValue)=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    }

    /// The same keys and texts as an object; only `msi` is a number.
    public var jsonValue: JSONValue {
        .object(
            fields.map { key, value in
                let number = key == .msi ? Int64(value) : nil
                return JSONValue.Member(key.rawValue, number.map(JSONValue.integer) ?? .string(value))
            })
    }
}

extension AppReply {
    /// Reads a reply, of this product or of the original app: keys in any order, `result` in any case, pieces without `=`,
    /// keys that nobody knows. A user token in it is dropped. Of a repeated key the first value counts.
    public init(parsing text: String) throws(AppReplyError) {
        let url: URLParameters
        do throws(URLTextError) {
            url = try URLParameters(parsing: text)
        } catch {
            throw .text(error)
        }
        try self.init(url)
    }

    init(pairs text: String) throws(AppReplyError) {
        try self.init(URLParameters(pairs: text))
    }

    private init(_ url: URLParameters) throws(AppReplyError) {
        if let fault = url.faults.first { throw .encoding(fault.reason) }
        var values: [ReplyKey: String] = [:]
        for parameter in url.parameters {
            guard let key = ReplyKey(rawValue: parameter.key), values[key] == nil, let value = parameter.value,
                !value.isEmpty || key == .statusinfo
            else { continue }
            values[key] = value
        }
        guard let result = values[.result].flatMap(ReplyResult.init(anyCase:)) else { throw .noResult }
        self.init(result, values)
    }
}

public enum AppReplyError: Error, Sendable, Hashable {
    case text(URLTextError)
    case encoding(PercentCodingError)
    /// `result` is missing or says nothing known.
    case noResult
}
