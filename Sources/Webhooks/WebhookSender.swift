public import Crypto
public import HTTPClient

/// Sends signed notices to one address.
public struct WebhookSender: Sendable {
    private let url: String
    private let keyID: String
    private let secret: SecretBytes
    private let form: WebhookForm
    private let client: HTTPClient

    /// Nil unless `keyID` is 1 to 128 printable ASCII characters: a line break in it would make headers of its own.
    ///
    /// - Parameters:
    ///   - url: an absolute http or https address.
    ///   - keyID: the merchant's id.
    ///   - client: its limits are those of one attempt.
    public init?(
        url: String, keyID: String, secret: SecretBytes, form: WebhookForm = .kushki, client: HTTPClient
    ) {
        guard (1...128).contains(keyID.utf8.count), keyID.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        self.url = url
        self.keyID = keyID
        self.secret = secret
        self.form = form
        self.client = client
    }

    /// One attempt, signed with the time at which it is made.
    ///
    /// - Parameter now: unix milliseconds.
    /// - Throws: `CryptoError` when it cannot be signed; the attempt then has not been made.
    public func send(_ transaction: ApprovedTransaction, at now: Int64) async throws(CryptoError) -> WebhookAnswer {
        try await post(transaction.body, dedupeID: transaction.transactionID, at: now)
    }

    /// Tries the address with the body `{}`, which nobody books.
    public func ping(at now: Int64) async throws(CryptoError) -> WebhookAnswer {
        try await post(WebhookCheck.pingBody, dedupeID: nil, at: now)
    }

    private func post(
        _ body: [UInt8], dedupeID: String?, at now: Int64
    ) async throws(CryptoError) -> WebhookAnswer {
        let headers = try form.headers(
            body: body, time: now / 1_000, keyID: keyID, dedupeID: dedupeID, secret: secret)
        let request = HTTPRequest(
            .post(body: body, contentType: "application/json"), url: url, headers: headers)
        do throws(HTTPError) {
            return .status(try await client.send(request).status)
        } catch {
            return .none(error)
        }
    }
}
