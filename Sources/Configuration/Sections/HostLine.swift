import JSONText

/// How an acquirer's host is reached and spoken to: the settings of the gateway `iso8583`. docs/iso8583.md explains them.
public struct HostLine: Sendable, Hashable {
    /// HOST:PORT.
    public let host: String
    /// A name, or the path of a file.
    public let profile: String
    /// `binary-2`, `ascii-4` or `bcd-2`.
    public let framing: String
    public let header: [UInt8]
    public let lengthCountsHeader: Bool
    public let swapsAddresses: Bool
    /// Of the certificate authorities; nil: no TLS.
    public let authorityFile: String?
    /// Whom the host's certificate must be for; nil: the host.
    public let tlsName: String?
    /// `0200` or `0100`.
    public let saleMessage: String
    /// `0420` or `0400`.
    public let reversalMessage: String
    /// `private` or `none`.
    public let inquiry: String
    /// `reconciliation` or `none`.
    public let settlement: String
    /// Field 32.
    public let acquirer: String?
    public let sendsAttempts: Bool
    public let signsOn: Bool
    /// Seconds; 0: none.
    public let echoInterval: Int
    /// Seconds.
    public let connectTimeout: Int
    /// `none`, `retail` or `hmac-sha256`.
    public let mac: String
    public let macKeyFile: String?
    public let cardDataKeyFile: String?

    init(_ object: ObjectReader) {
        host = object.required("host", Self.hostRule) ?? ""
        profile = object.value(
            "profile",
            .text("ascii, binary, bcd, ebcdic, or the path of a file, from / on, is expected") { text in
                ["ascii", "binary", "bcd", "ebcdic"].contains(text) || text.hasPrefix("/")
                    ? .value(text) : .refused("another text was given")
            }, default: "ascii")
        framing = object.value("framing", .one(of: ["binary-2", "ascii-4", "bcd-2"]), default: "binary-2")
        header = object.value("header", .bytes(0...32), default: [])
        lengthCountsHeader = object.value("lengthCountsHeader", .flag, default: true)
        swapsAddresses = object.value("swapsAddresses", .flag, default: false)
        if swapsAddresses, header.count != 5 {
            object.report("swapsAddresses", "a header of 5 bytes is expected beside true, \(header.count) were given")
        }
        authorityFile = object.value("tlsAuthorityFile", .absolutePath)
        tlsName = object.value("tlsName", Self.nameRule)
        // Without authorities there is no TLS, whatever the name seems to promise.
        if tlsName != nil, authorityFile == nil {
            object.report("tlsAuthorityFile", "a file is expected beside tlsName: without it there is no TLS")
        }
        saleMessage = object.value("saleMessage", .one(of: ["0200", "0100"]), default: "0200")
        reversalMessage = object.value("reversalMessage", .one(of: ["0420", "0400"]), default: "0420")
        inquiry = object.value("inquiry", .one(of: ["private", "none"]), default: "private")
        settlement = object.value("settlement", .one(of: ["reconciliation", "none"]), default: "reconciliation")
        acquirer = object.value(
            "acquirer",
            .text("a text of 1 to 11 digits is expected") { text in
                (1...11).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    ? .value(text) : .refused("another text was given")
            })
        sendsAttempts = object.value("sendsAttempts", .flag, default: true)
        signsOn = object.value("signsOn", .flag, default: false)
        echoInterval = object.value("echoSeconds", .wholeNumber(0...3_600, of: "seconds"), default: 60)
        connectTimeout = object.value("connectSeconds", .wholeNumber(1...120, of: "seconds"), default: 10)
        mac = object.value("mac", .one(of: ["none", "retail", "hmac-sha256"]), default: "none")
        macKeyFile = object.value("macKeyFile", .absolutePath)
        if (mac == "none") != (macKeyFile == nil) {
            object.report("macKeyFile", "a key file is expected beside a mac, and none beside none")
        }
        cardDataKeyFile = object.value("cardDataKeyFile", .absolutePath)
    }

    /// A name or a numeric address. One that begins with a point would be taken for any name that ends with it.
    private static let nameRule = ValueRule<String>.text("the name or address of a host is expected") { text in
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: ":"):
                true
            default: false
            }
        }
        guard isName, (1...253).contains(text.utf8.count), !text.hasPrefix(".") else {
            return .refused("another text was given")
        }
        return .value(text)
    }

    /// The form only: whether there is such a host is found out when it is needed.
    private static let hostRule = ValueRule<String>.text("HOST:PORT is expected") { text in
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts[0].isEmpty, let port = parts.last, UInt16(port) != nil,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return .refused("another text was given") }
        return .value(text)
    }

    var members: [JSONValue.Member] {
        func path(_ key: String, _ value: String?) -> [JSONValue.Member] {
            value.map { [.init(key, .string($0))] } ?? []
        }
        return [
            .init("kind", "iso8583"), .init("host", .string(host)), .init("profile", .string(profile)),
            .init("framing", .string(framing)), .init("header", .string(HexText.text(header))),
            .init("lengthCountsHeader", .bool(lengthCountsHeader)), .init("swapsAddresses", .bool(swapsAddresses)),
        ] + path("tlsAuthorityFile", authorityFile) + path("tlsName", tlsName) + [
            .init("saleMessage", .string(saleMessage)), .init("reversalMessage", .string(reversalMessage)),
            .init("inquiry", .string(inquiry)), .init("settlement", .string(settlement)),
        ] + path("acquirer", acquirer) + [
            .init("sendsAttempts", .bool(sendsAttempts)), .init("signsOn", .bool(signsOn)),
            .init("echoSeconds", .integer(Int64(echoInterval))),
            .init("connectSeconds", .integer(Int64(connectTimeout))), .init("mac", .string(mac)),
        ] + path("macKeyFile", macKeyFile) + path("cardDataKeyFile", cardDataKeyFile)
    }
}

extension ValueRule where Value == String {
    fileprivate static func one(of names: [String]) -> ValueRule<String> {
        text("one of \(names) is expected") { text in
            names.contains(text) ? .value(text) : .refused("another text was given")
        }
    }
}
