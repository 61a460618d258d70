public import BERTLV

/// Why offline data authentication failed. It never ends a transaction by itself; it sets TVR bits. No card data.
public enum OfflineAuthenticationFailure: Error, Sendable, Hashable {
    /// The card lacks these objects, which the method needs.
    case dataMissing([Tag])
    /// The terminal has no key of this scheme with the index that the card names.
    case certificationAuthorityKeyMissing
    case certificationAuthorityKeyExpired
    case issuerCertificate(CertificateFault)
    case iccCertificate(CertificateFault)
    case pinEnciphermentCertificate(CertificateFault)
    /// Tag 93.
    case staticSignature(CertificateFault)
    /// Tag 9F4B.
    case dynamicSignature(CertificateFault)
    /// A record that is marked for authentication is not a template 70 (Book 3, 10.3).
    case recordNotTemplate
    /// Tag 9F4A names something other than the AIP.
    case staticDataTagList
    /// The DDOL is malformed or does not ask for the unpredictable number.
    case dynamicDataObjectList
    /// INTERNAL AUTHENTICATE was refused with this status word.
    case refused(StatusWord)
    /// The answer does not have the form that a signature comes in.
    case responseFormat
    /// The type of cryptogram that was signed is not the one that the card answered.
    case cryptogramInformation
    /// What the card was sent, or what it answered, is not what it signed.
    case transactionDataHash

    /// Whether the TVR says "ICC data missing", too.
    var isDataMissing: Bool {
        switch self {
        case .dataMissing, .issuerCertificate(.remainderMissing), .iccCertificate(.remainderMissing),
            .pinEnciphermentCertificate(.remainderMissing):
            true
        default: false
        }
    }

    /// A stable name for logs and tables.
    public var code: String {
        switch self {
        case .dataMissing: "oda.dataMissing"
        case .certificationAuthorityKeyMissing: "oda.certificationAuthorityKeyMissing"
        case .certificationAuthorityKeyExpired: "oda.certificationAuthorityKeyExpired"
        case .issuerCertificate(let fault): "oda.issuerCertificate.\(fault.rawValue)"
        case .iccCertificate(let fault): "oda.iccCertificate.\(fault.rawValue)"
        case .pinEnciphermentCertificate(let fault): "oda.pinEnciphermentCertificate.\(fault.rawValue)"
        case .staticSignature(let fault): "oda.staticSignature.\(fault.rawValue)"
        case .dynamicSignature(let fault): "oda.dynamicSignature.\(fault.rawValue)"
        case .recordNotTemplate: "oda.recordNotTemplate"
        case .staticDataTagList: "oda.staticDataTagList"
        case .dynamicDataObjectList: "oda.dynamicDataObjectList"
        case .refused: "oda.refused"
        case .responseFormat: "oda.responseFormat"
        case .cryptogramInformation: "oda.cryptogramInformation"
        case .transactionDataHash: "oda.transactionDataHash"
        }
    }
}

extension OfflineAuthenticationFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .dataMissing(let tags): "The card lacks \(tags.map(\.description).joined(separator: ", "))."
        case .certificationAuthorityKeyMissing: "The terminal does not have the scheme's key that the card names."
        case .certificationAuthorityKeyExpired: "The scheme's key that the card names has expired."
        case .issuerCertificate(let fault): "The issuer's certificate is not accepted: \(fault.rawValue)."
        case .iccCertificate(let fault): "The card's certificate is not accepted: \(fault.rawValue)."
        case .pinEnciphermentCertificate(let fault):
            "The certificate of the card's PIN key is not accepted: \(fault.rawValue)."
        case .staticSignature(let fault): "The signature of the card's data is not accepted: \(fault.rawValue)."
        case .dynamicSignature(let fault): "The card's signature is not accepted: \(fault.rawValue)."
        case .recordNotTemplate: "A record to be authenticated is not a template 70."
        case .staticDataTagList: "The list of further data to be authenticated names more than the AIP."
        case .dynamicDataObjectList: "The card's list of data to be signed cannot be used."
        case .refused(let status): "INTERNAL AUTHENTICATE answered \(status)."
        case .responseFormat: "The card's answer is not a signed one."
        case .cryptogramInformation: "The card signed another type of cryptogram than it answered."
        case .transactionDataHash: "The card signed other transaction data than were exchanged."
        }
    }
}
