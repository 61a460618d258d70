import EMV
import Gateways
import Money
import Testing
import Transport

/// Makes requests of the sample cards; whatever a test does not name is plain and right.
enum SampleRequest {
    static func pan(_ digits: String) throws -> PAN {
        try #require(PAN(digits: digits.compactMap { $0.wholeNumberValue.map(UInt8.init) }))
    }

    static func amount(_ text: String) throws -> Amount { try Amount(parsing: text, currency: .mxn) }

    static func attempt(_ text: String) throws -> AttemptID { try #require(AttemptID(text)) }

    static let terminal = TerminalIdentity(terminalID: "KIOSK001", merchantID: "MERCHANT0000001", country: 484)

    static func moment() throws -> LocalDateTime {
        try #require(LocalDateTime(date: octets("261130"), time: octets("120000")))
    }

    /// A chip's request with the card's own objects.
    static func chip(
        _ card: SampleCard, attempt: String = "a-1", objects: [ObjectTag: [UInt8]]? = nil
    ) throws -> AuthorisationRequest {
        let objects = objects ?? card.objects
        return try chip(card, attempt: attempt, chipData: ChipDataProfile.request.build { objects[$0] })
    }

    static func chip(
        _ card: SampleCard, attempt: String = "a-1", chipData: [UInt8]
    ) throws -> AuthorisationRequest {
        try AuthorisationRequest(
            attempt: self.attempt(attempt), amount: amount("123.45"), tip: amount("0.00"), pan: pan(card.pan),
            panSequenceNumber: card.sequence, expiry: #require(CardExpiry(year: 2030, month: 12)),
            entryMode: .contactChip, chipData: chipData, terminal: terminal, moment: moment())
    }

    /// A stripe's request: no cryptogram, so that any amount can be asked for.
    static func stripe(
        _ amount: String, attempt: String = "a-1", tip: String = "0.00", pan: String = "4761739001010119",
        expiry: CardExpiry? = CardExpiry(year: 2030, month: 12), instalments: Int = 1
    ) throws -> AuthorisationRequest {
        try AuthorisationRequest(
            attempt: self.attempt(attempt), amount: self.amount(amount), tip: self.amount(tip),
            instalments: instalments, pan: self.pan(pan), panSequenceNumber: nil, expiry: #require(expiry),
            entryMode: .magneticStripe, chipData: [], terminal: terminal, moment: moment())
    }

    static func refund(_ amount: String, of sale: String, attempt: String = "r-1") throws -> RefundAuthorisation {
        try RefundAuthorisation(
            attempt: self.attempt(attempt), originalAttempt: self.attempt(sale), amount: self.amount(amount),
            terminal: terminal, moment: moment())
    }

    static func reversal(_ amount: String, of sale: String) throws -> ReversalRequest {
        try ReversalRequest(attempt: attempt(sale), amount: self.amount(amount), reason: .noAnswer)
    }
}

/// A simulator on a virtual clock.
struct SimulatedHost {
    let clock = VirtualClock()
    let gateway: IssuerSimulator

    init(_ options: IssuerSimulator.Options = IssuerSimulator.Options()) throws {
        gateway = try IssuerSimulator(clock: clock, options: options)
    }

    /// Ninety seconds from now.
    var soon: Deadline { .after(.seconds(90), on: clock) }

    var total: Int64 { gateway.bookedTotal(in: .mxn) }
}
