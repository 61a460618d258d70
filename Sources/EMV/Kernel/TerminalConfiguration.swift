/// What the terminal is and which cards it takes. Data, not code: one value per installation.
public struct TerminalConfiguration: Sendable {
    /// ISO 3166 numeric, for tag 9F1A.
    public var countryCode: UInt16
    /// Tag 9F33.
    public var capabilities: TerminalCapabilities
    /// Tag 9F40, five bytes.
    public var additionalCapabilities: [UInt8]
    /// Tag 9F35.
    public var terminalType: TerminalType
    /// Tag 9F1C, eight characters.
    public var terminalIdentification: String
    /// Tag 9F16, up to fifteen characters.
    public var merchantIdentifier: String
    /// Tag 9F15, four digits as BCD, two bytes.
    public var merchantCategoryCode: [UInt8]
    /// Tag 9F1E, eight characters.
    public var interfaceDeviceSerialNumber: String
    /// Tag 9F53, one character of Mastercard's table; nil: cards that ask for it get zeros.
    public var transactionCategoryCode: UInt8?
    /// Terminal risk management looks at the card's offline counters (Book 3, 10.6.3). Only a terminal that always goes
    /// online may do without.
    public var checksVelocity: Bool
    /// In order of preference.
    public var applications: [TerminalApplication]
    /// The cardholder can be asked which application to use, and to confirm one (Book 1, 12.4). Otherwise the best one that
    /// needs no confirmation is taken.
    public var asksForApplication: Bool
    /// Exception file and earlier offline payments.
    public var history: any CardHistory
    /// The payment systems' public keys, for offline data authentication.
    public var certificationAuthorityKeys: CertificationAuthorityKeyStore

    public init(
        countryCode: UInt16, capabilities: TerminalCapabilities, additionalCapabilities: [UInt8],
        terminalType: TerminalType, terminalIdentification: String, merchantIdentifier: String,
        merchantCategoryCode: [UInt8], interfaceDeviceSerialNumber: String, applications: [TerminalApplication],
        transactionCategoryCode: UInt8? = nil, checksVelocity: Bool = true, asksForApplication: Bool = false,
        history: any CardHistory = NoCardHistory(),
        certificationAuthorityKeys: CertificationAuthorityKeyStore = CertificationAuthorityKeyStore()
    ) {
        self.countryCode = countryCode
        self.capabilities = capabilities
        self.additionalCapabilities = additionalCapabilities
        self.terminalType = terminalType
        self.terminalIdentification = terminalIdentification
        self.merchantIdentifier = merchantIdentifier
        self.merchantCategoryCode = merchantCategoryCode
        self.interfaceDeviceSerialNumber = interfaceDeviceSerialNumber
        self.transactionCategoryCode = transactionCategoryCode
        self.checksVelocity = checksVelocity
        self.applications = applications
        self.asksForApplication = asksForApplication
        self.history = history
        self.certificationAuthorityKeys = certificationAuthorityKeys
    }

    /// A Mexican merchant's unattended kiosk without a PIN pad: chip and stripe, no CVM only, every payment online, all
    /// kinds of offline data authentication.
    public static let mexicanKiosk = TerminalConfiguration(
        countryCode: 484, capabilities: TerminalCapabilities(known: [0x60, 0x08, 0xC8]),
        additionalCapabilities: [0x60, 0x00, 0x00, 0x30, 0x01], terminalType: .unattendedOnlineOnly,
        terminalIdentification: "KIOSK001", merchantIdentifier: "READERKIT000001", merchantCategoryCode: [0x59, 0x99],
        interfaceDeviceSerialNumber: "RK000001", applications: TerminalApplication.common)
}
