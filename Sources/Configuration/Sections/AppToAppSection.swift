import JSONText

/// How app-to-app requests are answered.
public struct AppToAppSection: ConfigurationSection, Hashable {
    /// The version of the POS app that the kiosk is compatible with: three numbers.
    public let compatibilityVersion: String
    /// To where a reply may go: custom schemes (`mystore`), and web hosts with their scheme (`https://shop.example`).
    public let replySchemes: [String]

    init(_ file: ObjectReader) {
        compatibilityVersion = file.value("posCompat", Self.versionRule, default: "4.3.24")
        replySchemes = file.values("replySchemes", count: 0...100, Self.schemeRule) ?? []
    }

    private static let versionRule = ValueRule<String>.text(
        "a version of three numbers is expected, such as \"4.3.24\""
    ) { text in
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let areNumbers = parts.allSatisfy { part in
            (1...5).contains(part.count) && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        return parts.count == 3 && areNumbers ? .value(text) : .refused("another text was given")
    }

    private static let schemeRule = ValueRule<String>.text(
        "a lower-case scheme such as \"mystore\", or http or https with a host such as \"https://shop.example\", "
            + "is expected"
    ) { text in
        ReplyTarget.isScheme(text) || ReplyTarget.isWebHost(text)
            ? .value(text) : .refused(ReplyTarget.isBarred(text) ? "a barred one was given" : "another text was given")
    }

    var members: [JSONValue.Member] {
        [
            .init("posCompat", .string(compatibilityVersion)),
            .init("replySchemes", .array(replySchemes.map(JSONValue.string))),
        ]
    }
}

/// What the allow-list may hold.
enum ReplyTarget {
    /// Schemes that run code, read files or call ourselves; and those that need a host beside them.
    private static let barredSchemes = ["file", "javascript", "data", "billpocket", "http", "https"]

    static func isBarred(_ text: String) -> Bool { barredSchemes.contains(text) }

    /// RFC 3986, section 3.1, in lower case; at most 50 characters, as in the request.
    static func isScheme(_ text: String) -> Bool {
        guard text.utf8.count <= 50, let first = text.utf8.first, isLetter(first), !isBarred(text) else { return false }
        return text.utf8.allSatisfy { byte in
            isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ".")
        }
    }

    /// `https://host` or `https://host:port`, the host a name or an IPv4 address.
    static func isWebHost(_ text: String) -> Bool {
        guard let prefix = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let parts = text.utf8.dropFirst(prefix.utf8.count)
            .split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let host = parts.first, parts.count <= 2, (1...253).contains(host.count) else { return false }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isHost = labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
        }
        guard parts.count == 2 else { return isHost }
        let port = parts[1].allSatisfy(isDigit) ? UInt16(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
        return isHost && port > 0
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension KioskConfiguration {
    public var appToApp: AppToAppSection { self[AppToAppSection.self] }
}
