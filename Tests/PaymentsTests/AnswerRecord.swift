import Synchronization

/// Tells when a sale begins to write what the issuer said.
final class AnswerRecord: Sendable {
    /// Each attempt to write begins with the time.
    let wall = SettableWallClock(PaymentBed.noon)
    private let isBegun = Mutex(false)

    /// The issuer has answered.
    func expect() {
        wall.onNextReadings([{ self.isBegun.withLock { $0 = true } }])
    }

    func untilBegun() async {
        while !isBegun.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
    }
}
