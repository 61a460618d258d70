import Crypto
import Foundation
import HTTPClient
import Ledger
import Notices
import Payments
import Synchronization
import Testing
import Transport
import Webhooks

/// A ledger in a directory of its own, a clock that is moved by hand, and an address where nobody listens.
final class OutboxBed: Sendable {
    /// 2 March 2026, 12:00:05 in Mexico City.
    static let noon: Int64 = 1_772_474_405_000

    let directory = NSTemporaryDirectory() + "outbox-\(UUID().uuidString)"
    let wall = HandWallClock(OutboxBed.noon)

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func open() async throws(LedgerError) -> Ledger { try await Ledger.open(directory: directory) }

    /// An approved sale over 115.00.
    func sale(_ id: String, in ledger: Ledger, state: StateName = "approved", at time: Int64? = nil) async throws {
        let time = time ?? wall.nowMilliseconds()
        try await ledger.begin(
            NewTransaction(
                id: id, state: "authorizing", amount: 10_000, tip: 1_500, currency: 484, identifier: "order \(id)",
                reference: "Mesa 7"), at: time)
        var change = TransactionChange()
        change.approvedAt = time
        change.approvedAmount = 11_500
        change.authorisation = "123456"
        change.lastFour = "0119"
        change.cardBrand = "VISA"
        change.arqc = "0123456789ABCDEF"
        change.aid = "A0000000031010"
        change.appLabel = "VISA CRÉDITO"
        change.receipt = "{}"
        try await ledger.advance(id, from: ["authorizing"], to: state, change: change, at: time)
    }

    func outbox(
        _ ledger: Ledger, url: String = "http://127.0.0.1:1/hook", since: Int64 = 0
    ) throws -> NoticeOutbox {
        let sender = try #require(
            WebhookSender(
                url: url, keyID: "merchant-1", secret: SecretBytes(Array("s3cret-of-the-tests".utf8)),
                client: HTTPClient(usesProxies: false)))
        return NoticeOutbox(
            ledger: ledger, sender: sender, since: since, userID: 17, clock: SystemMonotonicClock.shared,
            wallClock: wall)
    }
}

final class HandWallClock: WallClock {
    private let time: Mutex<Int64>

    init(_ milliseconds: Int64) { time = Mutex(milliseconds) }

    func nowMilliseconds() -> Int64 { time.withLock { $0 } }

    func move(milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}

extension Deadline {
    static let never = Deadline(MonotonicInstant(nanoseconds: .max))
}
