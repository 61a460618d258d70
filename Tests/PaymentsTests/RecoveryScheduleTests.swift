import Testing

@testable import Payments

@Suite struct RecoveryScheduleTests {
    private struct Constant: RandomSource {
        let byte: UInt8

        func bytes(_ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }
    }

    @Test("the delay is within a bound that doubles from a second to fifteen minutes")
    func bounds() {
        let bounds: [(Int, Int64)] = [
            (1, 1_000), (2, 2_000), (5, 16_000), (10, 512_000), (11, 900_000), (12, 900_000), (120, 900_000),
            (Int.max, 900_000),
        ]
        for (tries, bound) in bounds {
            #expect(RecoverySchedule.delay(afterTries: tries, random: Constant(byte: 0)) == 0)
            var (least, most): (Int64, Int64) = (.max, 0)
            for _ in 0..<500 {
                let delay = RecoverySchedule.delay(afterTries: tries, random: SystemRandomSource())
                #expect((0...bound).contains(delay), "\(tries)")
                (least, most) = (min(least, delay), max(most, delay))
            }
            // The chance that 500 draws stay on one side of the middle is 2^-499.
            #expect(least < bound / 2 && most > bound / 2, "\(tries)")
        }
    }

    @Test("a payment is given up after a day and ten attempts, or after a hundred and twenty")
    func exhausted() {
        let day: Int64 = 86_400_000
        let table: [(Int64, Int, Bool)] = [
            (day - 1, 119, false), (day - 1, 120, true), (day, 9, false), (day, 10, true), (.max, 1, false),
            (.min, 120, true),
        ]
        for (age, tries, expected) in table {
            #expect(RecoverySchedule.isExhausted(age: age, tries: tries) == expected, "\(age) \(tries)")
        }
    }

    @Test("what lies further ahead than any delay is due: the clock was set back")
    func due() {
        let now: Int64 = 1_000_000_000
        for (plan, expected) in [
            (nil, true), (now, true), (now - 1, true), (now + 1, false), (now + 900_000, false), (now + 900_001, true),
        ] as [(Int64?, Bool)] {
            #expect(RecoverySchedule.isDue(plan, now: now) == expected)
        }
    }
}
