/// Where a reply goes: an app by its own scheme, or an http(s) address.
public enum ReplyAddress: Sendable, Hashable {
    /// The name of the scheme as it was sent, without `://`.
    case app(scheme: String)
    /// The whole address as it was sent.
    case web(String, WebOrigin)

    /// Schemes that no reply may go to: they do not call an app, run what stands in the URL, or call us again.
    static let forbidden: Set<String> = ["file", "javascript", "data", "billpocket"]

    /// Takes `myapp`, `myapp:`, `myapp://`, and http(s) addresses.
    public init(parsing text: String) throws(ReplyAddressError) {
        if let origin = WebOrigin(of: text) {
            self = .web(text, origin)
            return
        }
        let bytes = Array(text.utf8)
        let name = bytes.prefix { $0 != UInt8(ascii: ":") }
        let rest = bytes[name.endIndex...]
        guard ASCII.isSchemeName(name) else { throw .form }
        let scheme = String(decoding: name, as: UTF8.self)
        let lower = ASCII.lowercased(scheme)
        guard !Self.forbidden.contains(lower) else { throw .forbidden }
        guard rest.isEmpty || rest.elementsEqual(":".utf8) || rest.elementsEqual("://".utf8),
            lower != "http", lower != "https"
        else { throw .form }
        self = .app(scheme: scheme)
    }

    /// The address as it is stored and shown.
    public var text: String {
        switch self {
        case .app(let scheme): scheme + "://"
        case .web(let text, _): text
        }
    }

    /// Whom it reaches, without path and query: fit for a journal.
    public var place: String {
        switch self {
        case .app: text
        case .web(_, let origin): "\(origin.scheme)://\(origin.host):\(origin.port)"
        }
    }

    /// The address with a reply's pairs behind it.
    public func url(with reply: AppReply) -> String {
        switch self {
        case .app: text + reply.query
        case .web: text + (text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + reply.query
        }
    }
}

public enum ReplyAddressError: Error, Sendable, Hashable {
    case tooLong
    /// Neither an app's scheme nor an http(s) address.
    case form
    case forbidden
}

extension ReplyAddressError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong: "it has more than 50 characters"
        case .form: "it is neither the scheme of an app (myapp://) nor a plain http or https address"
        case .forbidden: "replies to this scheme are never sent"
        }
    }
}
