public import EMV
import JSONText
public import Money

/// What the terminal is and which cards it takes (Book 4, Annex A). What is absent is as in Mexico's kiosk,
/// `TerminalConfiguration.mexicanKiosk`.
public struct TerminalSection: ConfigurationSection {
    /// ISO 3166-1 numeric, 1 ... 999: tag 9F1A.
    public let country: UInt16
    /// Tag 5F2A.
    public let currency: Currency
    /// Tag 9F35.
    public let type: TerminalType
    /// Tag 9F33.
    public let capabilities: TerminalCapabilities
    /// Tag 9F40, five bytes.
    public let additionalCapabilities: [UInt8]
    /// Tag 9F53, one ASCII character.
    public let transactionCategoryCode: UInt8?
    /// Tag 9F1E, eight ASCII characters.
    public let interfaceDeviceSerialNumber: String
    /// The card's offline counters are looked at.
    public let checksVelocity: Bool
    /// For applications that have none of their own.
    public let randomSelection: RandomSelection
    /// In order of preference.
    public let applications: [TerminalApplication]
    public let keys: KeySource
    /// Beside those of the key file.
    public let revokedCertificates: RevokedCertificates

    init(_ file: ObjectReader) {
        self = file.object("terminal") { TerminalSection(object: $0) }
    }

    private init(object: ObjectReader) {
        let standard = TerminalConfiguration.mexicanKiosk
        country = object.value("country", Self.countryRule, default: standard.countryCode)
        let currency = object.value("currency", Self.currencyRule, default: .mxn)
        self.currency = currency
        let type = object.value("type", Self.typeRule, default: standard.terminalType)
        self.type = type
        capabilities = object.value("capabilities", Self.capabilitiesRule, default: standard.capabilities)
        additionalCapabilities = object.value(
            "additionalCapabilities", .bytes(5), default: standard.additionalCapabilities)
        transactionCategoryCode = object.value("transactionCategoryCode", .ascii(1...1))?.utf8.first
        interfaceDeviceSerialNumber = object.value(
            "interfaceDeviceSerialNumber", .ascii(8...8), default: standard.interfaceDeviceSerialNumber)
        let checksVelocity = object.value("velocityChecking", .flag, default: true)
        self.checksVelocity = checksVelocity
        if !checksVelocity, type.connection != .onlineOnly {
            object.report(
                "velocityChecking", "true is expected of a terminal that decides offline (type), false was given")
        }
        let selection = RandomSelection(object, currency, default: RandomSelection())
        randomSelection = selection
        applications = ApplicationList.read(object, currency, selection)
        keys = object.value("certificationAuthorityKeys", KeySource.rule, default: .test)
        revokedCertificates = RevokedCertificates(object)
    }

    private static let countryRule = ValueRule.digits(3).mapped(
        "an ISO 3166-1 numeric code as a text of three digits is expected", refusedAs: "zeros were given"
    ) { UInt16($0).flatMap { $0 == 0 ? nil : $0 } }

    private static let currencyRule = ValueRule<Currency>.text(
        "an ISO 4217 code is expected, one of "
            + Currency.all.map { "\"\(digits($0.numeric))\" (\($0.code))" }.joined(separator: ", ")
    ) { text in
        let known = Currency.all.first { text == $0.code || text == digits($0.numeric) }
        return known.map { .value($0) } ?? .refused("another text was given")
    }

    private static let typeRule = ValueRule.bytes(1).mapped(
        "a terminal type as 2 digits (Book 4, Annex A1) is expected", refusedAs: "an undefined one was given"
    ) { TerminalType(code: $0[0]) }

    private static let capabilitiesRule = ValueRule.bytes(3).mapped(refusedAs: "others were given") {
        TerminalCapabilities(bytes: $0)
    }

    /// Three digits.
    static func digits(_ code: UInt16) -> String {
        String(String(1000 + code).suffix(3))
    }

    var members: [JSONValue.Member] {
        var list: [JSONValue.Member] = [
            .init("country", .string(Self.digits(country))),
            .init("currency", .string(Self.digits(currency.numeric))),
            .init("type", .string(HexText.text([type.code]))),
            .init("capabilities", .string(HexText.text(capabilities.bytes))),
            .init("additionalCapabilities", .string(HexText.text(additionalCapabilities))),
        ]
        if let transactionCategoryCode {
            list.append(
                .init("transactionCategoryCode", .string(String(decoding: [transactionCategoryCode], as: UTF8.self))))
        }
        list += [
            .init("interfaceDeviceSerialNumber", .string(interfaceDeviceSerialNumber)),
            .init("velocityChecking", .bool(checksVelocity)), randomSelection.member(currency),
            .init("applications", .array(applications.map { ApplicationList.document($0, currency) })),
            .init("certificationAuthorityKeys", .string(keys.text)), revokedCertificates.member,
        ]
        return [.init("terminal", .object(list))]
    }
}

extension KioskConfiguration {
    public var terminal: TerminalSection { self[TerminalSection.self] }
}
