import Crypto
import Ledger
import Money

/// What makes a request the same as an earlier one: the same identifier of the same caller, and the same data. Nil for a
/// request without an identifier: it is always a new one.
struct RequestKey: Sendable, Hashable {
    /// Which identifier, of whom. Sales and refunds are counted apart: merchants use their order's number for both.
    struct Name: Sendable, Hashable {
        let scope: String
        let identifier: String
    }

    let name: Name
    /// SHA-256 of the canonical text, as the ledger keeps it.
    let digest: String

    init?(_ request: SaleRequest) throws(CryptoError) {
        try self.init(
            .sale, request.details,
            [
                ("amount", request.amount.description), ("tip", request.tip.description),
                ("currency", request.amount.currency.code), ("msi", String(request.instalments.rawValue)),
            ])
    }

    init?(_ request: RefundRequest) throws(CryptoError) {
        try self.init(
            .refund, request.details,
            [
                ("transactionId", request.transactionID), ("amount", request.amount?.description ?? ""),
                ("currency", request.amount?.currency.code ?? ""),
            ])
    }

    private init?(
        _ kind: TransactionKind, _ details: RequestDetails, _ fields: [(String, String)]
    ) throws(CryptoError) {
        guard !details.identifier.isEmpty else { return nil }
        name = Name(
            scope: details.scope.isEmpty ? kind.rawValue : kind.rawValue + "/" + details.scope,
            identifier: details.identifier)
        let all =
            [("kind", kind.rawValue)] + fields
            + [("reference", details.reference), ("email", details.email), ("phone", details.phone)]
        let text = all.map { "\($0.0) \($0.1.utf8.count) \($0.1)\n" }.joined()
        let bytes = try SHA256.digest(of: Array(("readerkit request 1\n" + text).utf8))
        digest = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    var rule: IdentifierRule { .once(scope: name.scope, digest: digest) }
}
