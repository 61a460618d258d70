/// What a `billpocket://` URL says: whom to answer, and what is asked for or what is wrong with it.
public struct AppCall: Sendable {
    /// What the sender means: `billpocket://app` only asks whether anybody answers here.
    public enum Message: Sendable {
        case installedTest
        case call(AppCall)
    }

    public let request: Result<AppRequest, AppProblem>
    /// Where the reply goes; nil when the caller named no place, or one that is not valid.
    public let replyAddress: ReplyAddress?
    /// What the caller sent and gets back, whatever becomes of it.
    public let echo: [ReplyKey: String]
    /// Names of parameters without effect. Their values are not kept.
    public let ignored: [String]

    /// - Throws: when the text is no request URL at all. A request whose parameters are wrong is a call with a problem.
    public static func read(_ text: String) throws(URLTextError) -> Message {
        let url = try URLParameters(parsing: text)
        guard url.scheme == "billpocket" else { throw .otherScheme }
        if url.faults.isEmpty, url.parameters == [URLParameters.Parameter(key: "app", value: nil)] {
            return .installedTest
        }
        return .call(AppCall(RequestReader(url)))
    }

    init(_ reader: RequestReader) {
        request = reader.result
        replyAddress = reader.replyAddress
        echo = reader.echo
        ignored = reader.ignored
    }
}
