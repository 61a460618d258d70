import HTTPClient
import JSONText
public import Transport

/// Brings a reply to the address that the caller named: to an app by the program registered for its scheme, to a server by
/// a request. One call is one attempt.
public struct ReplyDelivery: Sendable {
    private let settings: AppToAppSettings
    private let clock: any MonotonicClock

    public init(_ settings: AppToAppSettings, clock: any MonotonicClock) {
        self.settings = settings
        self.clock = clock
    }

    public func deliver(_ reply: AppReply, to address: ReplyAddress) async throws(DeliveryFailure) {
        guard settings.replies.allows(address) else { throw .notAllowed }
        let limit = settings.deliveryLimit
        switch address {
        case .app:
            try await SchemeHandler(command: settings.handler, clock: clock).open(
                address.url(with: reply), limit: limit)
        case .web(let text, _):
            let request =
                switch settings.webMethod {
                case .get: HTTPRequest(.get, url: address.url(with: reply))
                case .post:
                    HTTPRequest(
                        .post(body: Array(reply.jsonValue.compactText.utf8), contentType: "application/json"),
                        url: text)
                }
            let answer: HTTPResponse
            do throws(HTTPError) {
                answer = try await HTTPClient(timeLimit: limit, largestBody: 65_536).send(request)
            } catch {
                // The server has answered; how much it has to say does not matter.
                if error.code == .tooLarge { return }
                throw .web(error)
            }
            guard answer.isSuccess else { throw .status(answer.status) }
        }
    }
}
