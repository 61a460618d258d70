/// When an attempt is made again, and when it is given up: doubling from one second to fifteen minutes, each time a random
/// part of it ("full jitter"), so that kiosks which lost the same host do not come back in step.
struct RecoverySchedule: Sendable {
    static let firstDelay: Int64 = 1_000
    static let longestDelay: Int64 = 15 * 60 * 1_000
    /// A day after it began a payment is for a person, if it has been tried in earnest by then.
    static let patience: Int64 = 24 * 3_600 * 1_000
    static let fewestTries = 10
    static let mostTries = 120

    /// Milliseconds to the next attempt after `tries` attempts (1 and up): 0 … the bound, both included.
    static func delay(afterTries tries: Int, random: any RandomSource) -> Int64 {
        let doublings = min(max(tries - 1, 0), 20)
        let bound = min(longestDelay, firstDelay << Int64(doublings))
        let number = random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(number % UInt64(bound + 1))
    }

    /// - Parameters:
    ///   - age: milliseconds since the payment began.
    ///   - tries: attempts so far.
    static func isExhausted(age: Int64, tries: Int) -> Bool {
        tries >= mostTries || (age >= patience && tries >= fewestTries)
    }

    /// A plan that lies further ahead than any delay was made before the clock was set back.
    static func isDue(_ plan: Int64?, now: Int64) -> Bool {
        guard let plan else { return true }
        return plan <= now || plan > now &+ longestDelay
    }
}
