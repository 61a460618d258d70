/// What a scripted host does wrong, or says, with one message.
public enum HostFault: String, Sendable, Hashable, CaseIterable {
    /// Books, and never answers.
    case noAnswer
    /// Books, and answers after the rule's delay.
    case lateAnswer
    /// Books, answers, and closes the connection.
    case answerThenClose
    /// Books, and closes the connection without an answer.
    case closeAfterBooking
    /// Books, and sends the answer twice.
    case duplicateAnswer
    /// The answer's authentication code has a wrong bit.
    case wrongMAC
    /// Approves less than was asked: code 10.
    case partialApproval
    /// Declines with code 01.
    case referral
    /// Declines with code 55.
    case wrongPIN
    /// Approves with an issuer script in tag 71, before the final cryptogram.
    case script71
    /// Approves with an issuer script in tag 72, after it.
    case script72
    /// Books, and answers with bytes that are no message.
    case garbage
    /// Books, sends half of the answer, and closes the connection.
    case halfFrame
    /// Closes the connection without reading from it.
    case closeBeforeRead
    /// Books, and answers with another trace number.
    case wrongSTAN

    /// Total amounts in minor units at which a host does this without being told, beside those of the issuer simulator.
    static let byAmount: [Int64: HostFault] = [
        171_00: .script71, 172_00: .script72, 175_00: .lateAnswer, 192_00: .closeAfterBooking,
        193_00: .answerThenClose, 194_00: .duplicateAnswer, 195_00: .wrongMAC, 196_00: .halfFrame,
        197_00: .wrongSTAN, 198_00: .referral, 199_00: .wrongPIN,
    ]
}

/// Which messages a rule is about.
public enum HostOperation: String, Sendable, Hashable, CaseIterable {
    case connection
    case authorisation
    /// A sale that was approved without the host.
    case advice
    case refund
    case reversal
    case status
    case network
    case reconciliation
}

/// When a fault happens. What is nil fits everything.
public struct HostFaultRule: Sendable, Hashable {
    public var fault: HostFault
    public var operation: HostOperation?
    /// Minor units.
    public var amount: Int64?
    public var attempt: String?
    /// How many messages it is for; nil: all that fit.
    public var times: Int?
    /// Of `lateAnswer`.
    public var delay = Duration.seconds(5)
    /// Of `partialApproval`, minor units; nil: half.
    public var approved: Int64?

    public init(_ fault: HostFault, on operation: HostOperation? = nil, amount: Int64? = nil, times: Int? = nil) {
        self.fault = fault
        self.operation = operation
        self.amount = amount
        self.times = times
    }
}
