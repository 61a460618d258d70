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

    /// A first request for a TC asks for a signature in every mode, since no issuer will check the cryptogram.
    func asksForSignature(on type: CryptogramType, isFirst: Bool) -> Bool {
        switch type {
        case .applicationAuthenticationCryptogram: false
        case .authorisationRequestCryptogram: isFirst && (self == .onlineAndFinal || self == .online)
        case .transactionCertificate: isFirst || self == .onlineAndFinal || self == .final
        }
    }
}
