import BERTLV

/// The tags of offline data authentication (Book 3, Annex A).
extension Tag {
    static let certificationAuthorityPublicKeyIndex: Tag = 0x8F
    static let issuerPublicKeyCertificate: Tag = 0x90
    static let issuerPublicKeyRemainder: Tag = 0x92
    static let signedStaticApplicationData: Tag = 0x93
    static let iccPINEnciphermentCertificate: Tag = 0x9F2D
    static let iccPINEnciphermentExponent: Tag = 0x9F2E
    static let iccPINEnciphermentRemainder: Tag = 0x9F2F
    static let issuerPublicKeyExponent: Tag = 0x9F32
    static let dataAuthenticationCode: Tag = 0x9F45
    static let iccPublicKeyCertificate: Tag = 0x9F46
    static let iccPublicKeyExponent: Tag = 0x9F47
    static let iccPublicKeyRemainder: Tag = 0x9F48
    static let dynamicDataObjectList: Tag = 0x9F49
    static let staticDataAuthenticationTagList: Tag = 0x9F4A
    static let signedDynamicApplicationData: Tag = 0x9F4B
    static let iccDynamicNumber: Tag = 0x9F4C
}

extension TerminalVerificationResults.Bit {
    static let staticDataAuthenticationFailed = Self(byte: 1, mask: 0x40)
    static let dynamicDataAuthenticationFailed = Self(byte: 1, mask: 0x08)
    static let combinedDataAuthenticationFailed = Self(byte: 1, mask: 0x04)
    static let staticDataAuthenticationSelected = Self(byte: 1, mask: 0x02)
}
