import Ledger
import Testing

@testable import Payments

/// The rules that choose between a void and a refund, row by row.
@Suite struct ReturnChoiceTests {
    /// 2 March 2026, 00:00:00 in Mexico City.
    private static let midnight: Int64 = 1_772_431_200_000
    private static let day: Int64 = 86_400_000
    private static let minute: Int64 = 60_000

    private static func facts(_ change: (inout ReturnChoice.Facts) -> Void = { _ in }) -> ReturnChoice.Facts {
        var facts = ReturnChoice.Facts(
            total: 115_00, amount: 115_00, returned: 0, isInBatch: false, soldAt: midnight + 12 * 60 * minute,
            now: midnight + 13 * 60 * minute)
        change(&facts)
        return facts
    }

    private static func choose(_ facts: ReturnChoice.Facts) -> ReturnChoice {
        ReturnChoice(facts, zone: .mexicoCity())
    }

    /// What each rule adds to a sale that would be voided, the first rule first.
    private static let rules: [(ReturnChoice.Reason, @Sendable (inout ReturnChoice.Facts) -> Void)] = [
        (.part, { $0.amount = 40_00 }), (.batch, { $0.isInBatch = true }), (.late, { $0.now += day }),
        (.refused, { $0.refusals = 3 }),
    ]

    @Test("the table: each combination of rules gives the first that holds, and none of them a void")
    func table() {
        for combination in 0..<(1 << Self.rules.count) {
            var facts = Self.facts()
            var expected = ReturnChoice.void
            for (index, rule) in Self.rules.enumerated().reversed() where combination & (1 << index) != 0 {
                rule.1(&facts)
                expected = .refund(rule.0)
            }
            #expect(Self.choose(facts) == expected, "\(facts)")
            #expect(Self.choose(facts).operation == (combination == 0 ? .void : .refund))
        }
        #expect(Self.rules.map(\.0) == ReturnChoice.Reason.allCases)
    }

    @Test("what was returned before makes the rest a part, whatever is asked for")
    func returned() {
        #expect(Self.choose(Self.facts { $0.returned = 1 }) == .refund(.part))
        #expect(Self.choose(Self.facts { ($0.returned, $0.amount) = (15_00, 100_00) }) == .refund(.part))
    }

    @Test("the day is Mexico City's, from its first second to 23:58:59")
    func day() {
        let cases: [(soldAt: Int64, now: Int64, choice: ReturnChoice)] = [
            (Self.midnight, Self.midnight + Self.minute, .void),
            (Self.midnight, Self.midnight + Self.day - Self.minute - 1, .void),
            (Self.midnight, Self.midnight + Self.day - Self.minute, .refund(.late)),
            (Self.midnight, Self.midnight + Self.day - 1, .refund(.late)),
            (Self.midnight, Self.midnight + Self.day, .refund(.late)),
            (Self.midnight - 1, Self.midnight, .refund(.late)),
            // A clock that was set back over midnight.
            (Self.midnight, Self.midnight - 1, .refund(.late)),
            (Self.midnight, .max, .refund(.late)), (Self.midnight, .min, .refund(.late)),
        ]
        for (soldAt, now, choice) in cases {
            #expect(Self.choose(Self.facts { ($0.soldAt, $0.now) = (soldAt, now) }) == choice, "\(soldAt) \(now)")
        }
    }

    @Test("three refusals of the host end the voids")
    func refusals() {
        for (count, choice) in [(0, ReturnChoice.void), (2, .void), (3, .refund(.refused)), (4, .refund(.refused))] {
            #expect(Self.choose(Self.facts { $0.refusals = count }) == choice)
        }
    }
}
