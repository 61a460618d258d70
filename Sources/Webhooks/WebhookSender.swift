public import Crypto
public import HTTPClient

/// Sends signed notices to one address.
public struct WebhookSender: Sendable {
    private let url: String
    private let keyID: String
    private let secret: SecretBytes
    private let client: HTTPClient

    /// - Parameters:
    ///   - url: an absolute http or https address.
    ///   - keyID: the merchant's id, printable ASCII.
    public init(url: String, keyID: String, secret: SecretBytes, client: HTTPClient) {
        self.url = url
        self.keyID = keyID
        self.secret = secret
        self.client = client
    }

    /// One attempt, signed with the time at which it is made.
    ///
    /// - Parameter now: unix milliseconds.
    /// - Returns: the delivery after it.
    /// - Throws: `CryptoError` when it cannot be signed; the attempt then has not been made.
    public func send(
        _ transaction: ApprovedTransaction, _ delivery: Delivery, at now: Int64
    ) async throws(CryptoError) -> Delivery {
        let body = transaction.body
        let signature = try WebhookSignature(body: body, time: now / 1_000, secret: secret)
        let request = HTTPRequest(
            .post(body: body, contentType: "application/json"), url: url, headers: signature.headers(keyID: keyID))
        var after = delivery
        do throws(HTTPError) {
            after.attempted(status: try await client.send(request).status, at: now)
        } catch {
            after.attempted(status: nil, at: now)
        }
        return after
    }
}
