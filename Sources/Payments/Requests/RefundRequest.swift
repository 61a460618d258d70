public import Money

/// What a caller asks for in a refund (`devolucion`).
public struct RefundRequest: Sendable, Hashable {
    /// The id that the sale's reply carried.
    public let transactionID: String
    /// Nil = everything that is still refundable, the tip included.
    public let amount: Amount?
    public let details: RequestDetails

    /// - Throws: `RequestProblem` when the id is empty or the amount is zero.
    public init(transactionID: String, amount: Amount? = nil, details: RequestDetails) throws(RequestProblem) {
        guard !transactionID.isEmpty else {
            throw RequestProblem(
                field: "transactionId", sentence: "The transaction id is missing: give the id of the sale to refund.",
                statusInfo: .missingField("transactionId"))
        }
        if let amount, amount.isZero {
            throw RequestProblem(field: "amount", sentence: "The amount to refund must be more than zero.")
        }
        self.transactionID = transactionID
        self.amount = amount
        self.details = details
    }
}
