/// To where a notice may go: `https://HOST[:PORT][/PATH][?QUERY]`, the host a name or an IPv4 address; and, so that
/// nothing leaves the machine unencrypted, http to the loopback only.
enum WebhookAddress {
    static func isUsable(_ text: String) -> Bool {
        guard text.utf8.count <= 1024, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !barred.contains($0) })
        else { return false }
        for (prefix, isPlain) in [("https://", false), ("http://", true)] where text.hasPrefix(prefix) {
            let rest = text.utf8.dropFirst(prefix.utf8.count)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            let address = String(decoding: authority, as: UTF8.self)
            if isPlain { return isLoopback(address) }
            return ReplyTarget.isWebHost(prefix + address.lowercased())
        }
        return false
    }

    /// What a fragment begins with, what separates a password, and what programs read in different ways.
    private static let barred = Array("#@\\\"<>^`{|}".utf8)

    /// With or without a port.
    private static func isLoopback(_ address: String) -> Bool {
        for host in ["127.0.0.1", "[::1]", "localhost"] where address.hasPrefix(host) {
            let rest = address.dropFirst(host.count)
            if rest.isEmpty { return true }
            guard rest.hasPrefix(":") else { return false }
            let digits = rest.dropFirst()
            return (1...5).contains(digits.utf8.count)
                && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                && (UInt16(digits) ?? 0) > 0
        }
        return false
    }
}
