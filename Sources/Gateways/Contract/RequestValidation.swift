import BERTLV
import Money

extension AuthorisationRequest {
    /// What every gateway refuses before it sends anything. Throws `badRequest`.
    func validate() throws(GatewayError) {
        guard tip.currency == amount.currency else { throw .badRequest(reason: "amount and tip differ in currency") }
        guard tip <= amount else { throw .badRequest(reason: "the tip is larger than the total") }
        guard (1...99).contains(instalments) else { throw .badRequest(reason: "the number of payments is not 1 to 99") }
        if let panSequenceNumber, panSequenceNumber > 99 {
            throw .badRequest(reason: "the PAN sequence number is not 0 to 99")
        }
        try checkChipData(chipData)
    }
}

extension OfflineAdvice {
    /// What every gateway refuses before it sends anything. Throws `badRequest`.
    func validate() throws(GatewayError) {
        try request.validate()
    }
}

extension RefundAuthorisation {
    /// What every gateway refuses before it sends anything. Throws `badRequest`.
    func validate() throws(GatewayError) {
        guard !amount.isZero else { throw .badRequest(reason: "nothing is to be refunded") }
        guard attempt != originalAttempt else {
            throw .badRequest(reason: "the refund has the identity of the sale")
        }
        try checkChipData(chipData)
    }
}

extension SettlementRequest {
    /// Six digits: what hosts keep of a batch's number.
    static let numbers: ClosedRange<Int64> = 1...999_999

    /// What every gateway refuses before it sends anything. Throws `badRequest`.
    func validate() throws(GatewayError) {
        guard Self.numbers.contains(batch) else { throw .badRequest(reason: "the batch's number is not 1 to 999999") }
        let tallies = [totals.sales, totals.reversedSales, totals.refunds, totals.reversedRefunds]
        guard tallies.allSatisfy({ $0.count >= 0 && $0.minorUnits >= 0 }) else {
            throw .badRequest(reason: "a total is negative")
        }
    }
}

/// Account data in field 55 is a mistake that must not leave the machine.
private func checkChipData(_ chipData: [UInt8]) throws(GatewayError) {
    var reader = TLVReader(range: 0..<chipData.count)
    while let step = reader.next(in: chipData.span) {
        let tag: Tag? =
            switch step {
            case .object(let item): item.tag
            case .padding: nil
            // A part of an account number is too much as well.
            case .fault(let fault): fault.tag
            }
        if let tag, ChipDataProfile.isDenied(tag) { throw .badRequest(reason: "the chip data holds account data") }
    }
}
