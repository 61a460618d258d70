import Crypto
import Payments

/// What the merchant allows other apps to ask for.
public struct AppToAppSettings: Sendable {
    /// Every app shows one of these. None: every request is refused.
    public var userTokens: [UserToken] = []
    /// Milliseconds since 1970, UTC, from which on the tokens are no longer good; nil: never.
    public var expires: Int64?
    public var replies = ReplyAllowList()
    public var compatibility = CompatibilityLevel.withRefunds
    /// Started with a reply URL as its last argument, for replies to an app's scheme.
    public var handler = ["xdg-open"]
    public var webMethod = WebMethod.get
    /// For one attempt to deliver a reply.
    public var deliveryLimit = Duration.seconds(10)

    /// How an http(s) address gets its reply.
    public enum WebMethod: String, Sendable, Hashable, CaseIterable {
        /// In the query.
        case get
        /// As a JSON object with the same fields.
        case post
    }

    public init() {}

    /// Why this request is not carried out; nil when it may be. A wrong token comes before everything else: who does not
    /// have one learns nothing about the rest.
    ///
    /// - Parameter now: milliseconds since 1970, UTC.
    public func objection(to request: AppRequest, now: Int64) -> AppProblem? {
        if let problem = objection(to: request.token, now: now) { return problem }
        guard replies.allows(request.replyAddress) else {
            return .invalid(
                "urlScheme",
                "Replies may not go to \(request.replyAddress.place): to allow it, add it to 'replySchemes' in the configuration."
            )
        }
        guard case .refund = request.operation, compatibility < .withRefunds else { return nil }
        return AppProblem(
            .rule, .invalidField("transaction"),
            "Refunds are not offered: the configured compatibility level (posCompat) is below 4.3.24.")
    }

    private func objection(to token: UserToken, now: Int64) -> AppProblem? {
        func refused(_ sentence: String) -> AppProblem { AppProblem(.invalidRequest, .invalidToken, sentence) }
        guard !userTokens.isEmpty else {
            return refused(
                "No user token is configured, so every request is refused: write one to a file that only this user can "
                    + "read, and name the file as 'userTokenFile' in the configuration.")
        }
        do throws(CryptoError) {
            guard try token.isOne(of: userTokens) else {
                return refused("The request's user token is not the configured one.")
            }
        } catch {
            return refused("The user token cannot be compared: \(error).")
        }
        if let expires, now >= expires {
            return refused("The configured user token has expired: put a new one in place.")
        }
        return nil
    }
}
