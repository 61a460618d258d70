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
        var text = Array("readerkit request 1\n".utf8)
        Self.append("kind", kind.rawValue, to: &text)
        for (name, value) in fields { Self.append(name, value, to: &text) }
        Self.append("reference", details.reference, to: &text)
        Self.append("email", details.email, to: &text)
        Self.append("phone", details.phone, to: &text)
        digest = try SHA256.hexDigest(of: text)
    }

    /// A line of the canonical text: name, bytes of the value, value.
    private static func append(_ name: String, _ value: String, to text: inout [UInt8]) {
        text += name.utf8
        text.append(UInt8(ascii: " "))
        text += String(value.utf8.count).utf8
        text.append(UInt8(ascii: " "))
        text += value.utf8
        text.append(UInt8(ascii: "\n"))
    }

    var rule: IdentifierRule { .once(scope: name.scope, digest: digest) }
}
