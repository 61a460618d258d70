/// Where to connect or listen: a host name or numeric address, and a TCP port.
public struct Endpoint: Hashable, Sendable {
    /// Without the brackets of an IPv6 address.
    public let host: String
    /// 0 when listening: any free one.
    public let port: UInt16

    /// Nil when the host is empty, over 253 bytes, or has other characters than a name or an address can have.
    public init?(host: String, port: UInt16) {
        let isAllowed: (UInt8) -> Bool = { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5F, 0x25: true
            default: false
            }
        }
        guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(isAllowed) else { return nil }
        self.host = host
        self.port = port
    }

    /// From `HOST:PORT`, where an IPv6 address stands in brackets: `127.0.0.1:8583`, `[::1]:8583`.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        var host = text[..<colon]
        let port = text[text.index(after: colon)...]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard (1...5).contains(port.utf8.count), port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(port)
        else { return nil }
        self.init(host: String(host), port: number)
    }
}

extension Endpoint: CustomStringConvertible {
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
