public import EMV

/// Why the simulated issuer answered as it did: its log, without card data.
public struct IssuerDecision: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        case approved
        /// The amount is one of the test table.
        case testAmount
        /// No issuer has this prefix.
        case unknownIssuer
        /// Encrypted by a reader whose key is not known here.
        case accountUnreadable
        /// The card's last month is over on the transaction's day.
        case cardExpired
        /// A chip's request whose field 55 cannot be read as TLV.
        case chipDataUnreadable
        /// A chip's request that lacks an object, or has one of the wrong length.
        case chipDataIncomplete
        /// The card's first answer was not a request to go online.
        case notARequestCryptogram
        /// The card's last answer to an approval without the issuer was no TC.
        case notACertificate
        /// Rules for this cryptogram version are not known, or the issuer data has no known shape.
        case cannotVerify
        /// The cryptogram does not match the values that were sent.
        case arqcInvalid
        /// The chip saw another amount than the host is asked for.
        case amountMismatch
        case amountZero
        /// The attempt was reversed before it arrived.
        case reversedBefore
        /// A refund of something that was not sold, or of another currency.
        case nothingToRefund
        /// A refund of more than is left.
        case refundTooLarge
        case refunded
    }

    public let attempt: AttemptID
    public let responseCode: ResponseCode
    public let reason: Reason
    /// How the cryptogram was made, when that was recognised.
    public let scheme: CryptogramScheme?
}

extension IssuerDecision {
    func replaced(by responseCode: ResponseCode, _ reason: Reason) -> IssuerDecision {
        IssuerDecision(attempt: attempt, responseCode: responseCode, reason: reason, scheme: scheme)
    }
}
