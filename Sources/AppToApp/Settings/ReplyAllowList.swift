/// Where replies may go. Empty: nowhere.
public struct ReplyAllowList: Sendable, Hashable {
    /// In lower case.
    private var schemes: Set<String> = []
    private var origins: Set<WebOrigin> = []

    public init() {}

    /// - Parameter entries: an app's scheme (`myapp`, also with `:` or `://`), an origin (`https://shop.example`,
    ///   `http://127.0.0.1:8080`), or `https` or `http` for every server of that kind.
    /// - Throws: the first entry that is none of these.
    public init(_ entries: [String]) throws(InvalidEntry) {
        for entry in entries {
            let lower = ASCII.lowercased(entry)
            if lower == "http" || lower == "https" {
                schemes.insert(lower)
                continue
            }
            do throws(ReplyAddressError) {
                switch try ReplyAddress(parsing: entry) {
                case .app(let scheme): schemes.insert(ASCII.lowercased(scheme))
                case .web(_, let origin): origins.insert(origin)
                }
            } catch {
                throw InvalidEntry(entry: entry, reason: error)
            }
        }
    }

    public struct InvalidEntry: Error, Sendable, Hashable {
        public let entry: String
        public let reason: ReplyAddressError
    }

    public func allows(_ address: ReplyAddress) -> Bool {
        switch address {
        case .app(let scheme): schemes.contains(ASCII.lowercased(scheme))
        case .web(_, let origin): schemes.contains(origin.scheme) || origins.contains(origin)
        }
    }
}
