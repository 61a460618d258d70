/// Where a reader that runs EMV itself has stopped.
public enum ReaderStop: Sendable {
    /// Several applications on the card; their labels in the reader's order, made printable. Answer with `choose`.
    case applicationChoice([String])
    /// The issuer must be asked (ARQC, or a stripe). Answer with `complete`.
    case online(CardReading)
    /// TC: offline, or after `complete`.
    case approved(CardReading)
    /// AAC: offline, or after `complete`.
    case declined(CardReading)
    /// Ended without a cryptogram that decides anything.
    case ended(Reason)

    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// No application here that the reader takes.
        case notAccepted
        case cardBlocked
        /// The card's data or its behaviour are wrong.
        case cardFault
        /// The person cancelled at the reader.
        case cancelledByCardholder
        /// The chip cannot be read, and the stripe may not be used instead.
        case fallbackNotAllowed
    }
}
