import Crypto
import Money
import Payments

/// From parameters to a checked request, by the table of properties.
struct RequestReader {
    private let faults: [URLParameters.Fault]
    private let values: ReceivedValues
    /// Everything that was sent as a token, also under a name that does not count, or a second time.
    private let secrets: [UserToken]

    init(_ url: URLParameters) {
        faults = url.faults
        values = ReceivedValues(url.parameters)
        secrets = url.parameters.compactMap { parameter in
            ASCII.lowercased(parameter.key) == "usertoken" ? parameter.value.flatMap { UserToken($0) } : nil
        }
    }

    // MARK: What can be said whatever else is wrong

    /// Nil as well when two different ones were given.
    var replyAddress: ReplyAddress? {
        guard !values.contradictions.contains("urlScheme"), !faults.contains(where: { $0.key == "urlScheme" }) else {
            return nil
        }
        return values["urlScheme"].flatMap { try? Self.address($0, atMost: 50) }
    }

    /// Of a refund only what it uses; the others are ignored there.
    var echo: [ReplyKey: String] {
        let isRefund = values["transaction"] == "devolucion"
        let keys: [ReplyKey] =
            isRefund ? [.amount, .identifier] : [.amount, .tip, .reference, .email, .phone, .identifier]
        var echo: [ReplyKey: String] = [:]
        for key in keys where !values.contradictions.contains(key.rawValue) {
            guard let value = values[key.rawValue], !holdsSecret(value) else { continue }
            echo[key] = value
        }
        return echo
    }

    /// Bounded in number and length: a caller cannot fill the journal with them.
    var ignored: [String] {
        let isRefund = values["transaction"] == "devolucion"
        let used = Set(
            RequestProperty.table.filter { (isRefund ? $0.inRefund : $0.inSale) != .ignored }.flatMap { property in
                values[property.name] != nil ? [property.name] : [property.name] + property.aliases
            })
        let names = values.keys.filter { !used.contains($0) && $0 != RequestProperty.refused }
        return names.prefix(32).compactMap(shown)
    }

    private func holdsSecret(_ text: String) -> Bool {
        secrets.prefix(16).contains { $0.isContained(in: text) }
    }

    private var token: UserToken? { values["usertoken"].flatMap { UserToken($0) } }

    /// A key as it may be repeated: plain, short, and not the token in the wrong place.
    private func shown(_ key: String) -> String? {
        let isPlain = key.utf8.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || [0x2D, 0x2E, 0x5F].contains($0)
        }
        guard isPlain, (1...64).contains(key.utf8.count), !holdsSecret(key) else { return nil }
        return key
    }

    // MARK: The request

    var result: Result<AppRequest, AppProblem> {
        do throws(AppProblem) {
            return .success(try read())
        } catch {
            return .failure(error)
        }
    }

    private func read() throws(AppProblem) -> AppRequest {
        try refuseFaults()
        let isRefund = try isRefund()
        for property in RequestProperty.table {
            try check(property, isRefund ? property.inRefund : property.inSale)
        }
        guard let token else { throw .missing("usertoken") }
        guard let replyAddress else { throw .missing("urlScheme") }
        let scope: String
        do throws(CryptoError) {
            scope = try token.scope()
        } catch {
            throw AppProblem(.storage, .storageFailed, "The system's cryptographic library does not work (\(error)).")
        }
        let operation: AppRequest.Operation
        do throws(RequestProblem) {
            operation = isRefund ? .refund(try refund(scope)) : .sale(try sale(scope))
        } catch {
            throw AppProblem(.invalidRequest, error.statusInfo, error.sentence)
        }
        if case .sale(let sale) = operation, sale.mandatoryPhoto, !sale.showPhotoButton {
            throw .invalid("mandatoryPhoto", "'mandatoryPhoto' needs 'showPhotoButton=true' as well.")
        }
        return AppRequest(operation: operation, token: token, replyAddress: replyAddress)
    }

    private func refuseFaults() throws(AppProblem) {
        if let fault = faults.first {
            let key = fault.key.flatMap(shown) ?? "URL"
            let reason = fault.reason == .brokenEscape ? "a broken %-escape" : "bytes that are not UTF-8"
            throw AppProblem(.malformedURL, .invalidField(key), "The parameter '\(key)' holds \(reason).")
        }
        if let key = values.contradictions.first {
            let name = shown(key) ?? "URL"
            throw .invalid(name, "The parameter '\(name)' is given twice with different values.")
        }
        if values[RequestProperty.refused] != nil {
            throw .invalid(RequestProperty.refused, "A PIN in a URL is never taken.")
        }
    }

    private func isRefund() throws(AppProblem) -> Bool {
        guard let operation = values["transaction"] else { throw .missing("transaction") }
        switch operation {
        case "venta": return false
        case "devolucion": return true
        default: throw .invalid("transaction", "'transaction' must be 'venta' or 'devolucion'.")
        }
    }

    /// The value of a property, by its name or else by an old one.
    private func value(_ name: String) -> String? {
        if let value = values[name] { return value }
        let aliases = RequestProperty.table.first { $0.name == name }?.aliases ?? []
        return aliases.lazy.compactMap { values[$0] }.first
    }

    private func check(_ property: RequestProperty, _ need: RequestProperty.Need) throws(AppProblem) {
        guard need != .ignored else { return }
        let name = property.name
        guard let value = value(name) else {
            if need == .required { throw .missing(name) }
            return
        }
        if case .token = property.form { return }
        if holdsSecret(value) {
            throw .invalid(name, "The parameter '\(name)' holds the user token, which must not be sent on.")
        }
        try check(value, property.form, name)
    }

    private func check(_ value: String, _ form: RequestProperty.Form, _ name: String) throws(AppProblem) {
        switch form {
        case .operation, .token: break
        case .text(let limit):
            guard value.unicodeScalars.count <= limit else {
                throw .invalid(name, "The parameter '\(name)' is too long: at most \(limit) characters.")
            }
        case .amount:
            do throws(AmountFormatError) {
                _ = try Amount(parsing: value, currency: .mxn)
            } catch {
                throw .invalid(name, error.sentence(about: name))
            }
        case .address(let limit):
            do throws(ReplyAddressError) {
                _ = try Self.address(value, atMost: limit)
            } catch {
                throw .invalid(name, "The reply address in '\(name)' cannot be used: \(error).")
            }
        case .months:
            guard Self.months(value) != nil else { throw .invalid(name, "'\(name)' must be 0, 3, 6, 9 or 12.") }
        case .boolean:
            guard ["true", "false"].contains(value) else { throw .invalid(name, "'\(name)' must be true or false.") }
        }
    }

    private static func address(_ text: String, atMost limit: Int) throws(ReplyAddressError) -> ReplyAddress {
        guard text.unicodeScalars.count <= limit else { throw .tooLong }
        return try ReplyAddress(parsing: text)
    }

    /// Exactly the digits: `03` and `+3` are other texts.
    private static func months(_ text: String) -> Instalments? {
        Instalments.allCases.first { String($0.rawValue) == text }
    }

    private func amount(_ name: String) -> Amount? {
        value(name).flatMap { try? Amount(parsing: $0, currency: .mxn) }
    }

    private func sale(_ scope: String) throws(RequestProblem) -> AppSale {
        let details = try RequestDetails(
            identifier: value("identifier") ?? "", reference: value("reference") ?? "", email: value("email") ?? "",
            phone: value("phone") ?? "", scope: scope)
        return AppSale(
            request: try SaleRequest(
                amount: amount("amount") ?? .zero(.mxn), tip: amount("tip"),
                instalments: value("msi").flatMap(Self.months) ?? .single, details: details),
            showPhotoButton: value("showPhotoButton") == "true", mandatoryPhoto: value("mandatoryPhoto") == "true",
            comesFromQR: value("comesFromQR") == "true")
    }

    private func refund(_ scope: String) throws(RequestProblem) -> RefundRequest {
        try RefundRequest(
            transactionID: value("transactionId") ?? "", amount: amount("amount"),
            details: try RequestDetails(identifier: value("identifier") ?? "", scope: scope))
    }
}
