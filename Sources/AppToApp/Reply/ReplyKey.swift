/// The keys of a reply. Their order here, the vendor's, is the order in which they are written.
public enum ReplyKey: String, Sendable, Hashable, CaseIterable {
    case result, statusinfo, amount, tip, reference, transactionid, msi, authorization, creditcard, cardtype, email
    case phone, arqc, aid, applabel, url, identifier, bank, accountType, name
    case version = "bp_version"
    /// Ours: tells an unknown outcome from an error that moved no money.
    case outcome
}

/// `result`: what other apps look at.
public enum ReplyResult: String, Sendable, Hashable, CaseIterable {
    case approved = "aprobada"
    case declined = "rechazada"
    case error

    /// In any case of letters: some versions of the original app write `Aprobada`.
    init?(anyCase text: String) {
        self.init(rawValue: ASCII.lowercased(text))
    }
}
