import EMV
import Gateways
import Payments
import Readers
import Testing

@testable import Ledger
@testable import readerctl

@Suite struct ExitStatusTests {
    /// Testing has an `ExitStatus` of its own.
    typealias Status = readerctl.ExitStatus

    private static func result(_ outcome: PaymentOutcome, _ failure: PaymentFailure? = nil) -> PaymentResult {
        PaymentResult(PaymentResponse(outcome: outcome), failure: failure)
    }

    @Test("the numbers are part of the contract")
    func numbers() {
        let expected: [(Status, Int32)] = [
            (.done, 0), (.internalError, 1), (.usage, 2), (.noReader, 3), (.readerUnusable, 4), (.declined, 5),
            (.cancelled, 6), (.unknownOutcome, 7), (.malformedInput, 8), (.refusedByRule, 9),
        ]
        for (status, number) in expected { #expect(status.rawValue == number) }
    }

    @Test(
        "an outcome has its status",
        arguments: [
            (.approved, .done), (.declined, .declined), (.cancelled, .cancelled), (.expired, .cancelled),
            (.unknown, .unknownOutcome), (.failed, .declined),
        ] as [(PaymentOutcome, Status)])
    func outcomes(outcome: PaymentOutcome, status: Status) {
        #expect(Status(Self.result(outcome)) == status)
    }

    @Test("whatever the cause, an unknown outcome is told as unknown")
    func unknown() {
        for failure in [
            PaymentFailure.reader(ReaderError(.gone, during: "")), .gateway(.noAnswer(reason: "")),
            .notAccepted(.cardBlocked), .rule(.tooLate),
        ] {
            #expect(Status(Self.result(.unknown, failure)) == .unknownOutcome)
        }
    }

    @Test(
        "a failed payment has the status of who refused it",
        arguments: [
            (.rule(.tooSoon), .refusedByRule), (.rule(.notFound), .refusedByRule),
            (.reader(ReaderError(.notFound, during: "")), .noReader),
            (.reader(ReaderError(.gone, during: "")), .readerUnusable),
            (.reader(ReaderError(.cardRemoved, during: "")), .declined),
            (.reader(ReaderError(.cardMute, during: "")), .declined),
            (.card(CardFault(stage: .reading, reason: "")), .declined), (.notAccepted(.noCommonApplication), .declined),
            (.gateway(.notSent(reason: "")), .declined), (.rule(.duplicate), .refusedByRule),
            (.recorded(.readerMissing), .noReader), (.recorded(.readerLost), .readerUnusable),
            (.recorded(.reversedReaderLost), .readerUnusable), (.recorded(.reversed), .declined),
            (.recorded(.interrupted), .declined), (.recorded(.storageFailed), .internalError),
            (.ledger(LedgerError(.diskFull, "", nextStep: "")), .internalError),
        ] as [(PaymentFailure, Status)])
    func failures(failure: PaymentFailure, status: Status) {
        #expect(Status(Self.result(.failed, failure)) == status)
    }

    @Test("each error of a reader has its status")
    func readerErrors() {
        let expected: [ReaderError.Code: Status] = [
            .notFound: .noReader, .cancelled: .cancelled, .cardNotInserted: .cancelled, .cardRemoved: .cancelled,
            .cardMute: .declined, .cardUnusable: .declined, .accessDenied: .readerUnusable, .busy: .readerUnusable,
            .gone: .readerUnusable, .silent: .readerUnusable, .protocolViolation: .readerUnusable,
            .linkFailed: .readerUnusable, .hardwareFault: .readerUnusable, .unsupported: .readerUnusable,
            .closed: .readerUnusable, .ambiguous: .usage,
        ]
        for code in ReaderError.Code.allCases {
            #expect(Status(ReaderError(code, during: "")) == expected[code], "\(code)")
        }
    }
}
