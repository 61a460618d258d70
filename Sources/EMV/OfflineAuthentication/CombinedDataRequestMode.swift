/// For which cryptograms a terminal asks for a CDA signature (Book 4, 6.3.2.1). A request for an AAC never does.
public enum CombinedDataRequestMode: Int, Sendable, Hashable, CaseIterable {
    /// For an ARQC, and for the TC after the issuer's approval.
    case onlineAndFinal = 1
    /// For an ARQC only.
    case online = 2
    /// For neither.
    case neither = 3
    /// For the TC after the issuer's approval only.
    case final = 4

    /// A request for a TC that no issuer has approved asks for a signature in every mode, since nobody else will check the
    /// cryptogram: the first one, and the one of a terminal that could not go online.
    func asksForSignature(on type: CryptogramType, afterApproval: Bool) -> Bool {
        switch type {
        case .applicationAuthenticationCryptogram: false
        case .authorisationRequestCryptogram: self == .onlineAndFinal || self == .online
        case .transactionCertificate: !afterApproval || self == .onlineAndFinal || self == .final
        }
    }
}
