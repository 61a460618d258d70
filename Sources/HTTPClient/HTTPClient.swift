import Transport

/// Asks http and https servers, by libcurl. Certificates are verified, redirects are not followed, and every request has
/// its time limit. Each request runs on a thread of its own, since libcurl blocks.
public struct HTTPClient: Sendable {
    /// For the whole exchange, from the first look-up to the last byte.
    public var timeLimit: Duration
    /// Bytes of an answer's body that are taken at most.
    public var largestBody: Int
    /// A PEM file of the only authorities that are trusted; nil: the system's.
    public var authoritiesFile: String?
    /// Whether `http_proxy` and the like are heeded.
    public var usesProxies: Bool

    public init(
        timeLimit: Duration = .seconds(10), largestBody: Int = 1 << 20, authoritiesFile: String? = nil,
        usesProxies: Bool = true
    ) {
        self.timeLimit = timeLimit
        self.largestBody = largestBody
        self.authoritiesFile = authoritiesFile
        self.usesProxies = usesProxies
    }

    /// Sends one request. Cancelling the task ends the exchange; the server may have acted on it all the same.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let transfer = CurlTransfer(self, request)
        let result: Result<HTTPResponse, HTTPError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(TransportError) {
                    try PlainThread.start(named: "http") { continuation.resume(returning: transfer.run()) }
                } catch {
                    continuation.resume(returning: .failure(HTTPError(.failed, "no thread")))
                }
            }
        } onCancel: {
            transfer.cancel()
        }
        return try result.get()
    }
}
