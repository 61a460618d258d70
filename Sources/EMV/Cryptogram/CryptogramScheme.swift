/// The rules by which a family of cards makes its application cryptogram, named by its cryptogram version number.
public enum CryptogramScheme: String, Sendable, Hashable, CaseIterable {
    /// Visa CVN 10 (0A).
    case visa10
    /// Visa CVN 18 (12).
    case visa18
    /// Visa CVN '22'.
    case visa22
    /// Visa CVN '2C'.
    case visa2C
    /// M/Chip CVN 16 (10).
    case mChip16
    /// M/Chip CVN 17 (11), with counters.
    case mChip17
    /// M/Chip CVN 20 (14), with the common session key.
    case mChip20
    /// M/Chip CVN 21 (15), with the common session key and counters.
    case mChip21
    /// Common Core Definitions, cryptogram version 5 with triple DES (A5).
    case ccdA5
    /// Common Core Definitions, cryptogram version 6 with AES (A6).
    case ccdA6

    /// What of tag 9F10 the cryptogram covers.
    enum CoveredIssuerData {
        case whole
        case verificationResults
        case verificationResultsAndCounters
    }

    /// Which key makes the ARPC.
    public enum ResponseKey: Sendable, Hashable {
        case cardKey
        case sessionKey
    }

    /// The two methods of Book 2, 8.2.
    public enum ResponseMethod: Sendable, Hashable {
        case method1
        case method2
    }

    var coveredIssuerData: CoveredIssuerData {
        switch self {
        case .visa10, .mChip16, .mChip20: .verificationResults
        case .mChip17, .mChip21: .verificationResultsAndCounters
        case .visa18, .visa22, .visa2C, .ccdA5, .ccdA6: .whole
        }
    }

    /// The cipher of all its keys.
    public var cipher: CryptogramCipher {
        self == .ccdA6 ? .aes : .tripleDES
    }

    /// Of the MAC with triple DES; CMAC pads by itself.
    public var padding: ISO9797Algorithm3.Padding {
        self == .visa10 ? .method1 : .method2
    }

    public var sessionKeyDerivation: SessionKeyDerivation {
        switch self {
        case .visa10: .none
        case .mChip16, .mChip17: .mChip
        case .visa18, .visa22, .visa2C, .mChip20, .mChip21, .ccdA5, .ccdA6: .commonSessionKey
        }
    }

    public var responseMethod: ResponseMethod {
        switch self {
        case .visa10, .mChip16, .mChip17, .mChip20, .mChip21: .method1
        case .visa18, .visa22, .visa2C, .ccdA5, .ccdA6: .method2
        }
    }

    public var responseKey: ResponseKey {
        switch self {
        case .visa10, .mChip16, .mChip17: .cardKey
        case .visa18, .visa22, .visa2C, .mChip20, .mChip21, .ccdA5, .ccdA6: .sessionKey
        }
    }

    /// Whether the ARPC covers M/Chip's own response code instead of the authorisation response code.
    public var usesMChipResponseCode: Bool {
        switch self {
        case .mChip16, .mChip17, .mChip20, .mChip21: true
        case .visa10, .visa18, .visa22, .visa2C, .ccdA5, .ccdA6: false
        }
    }
}
