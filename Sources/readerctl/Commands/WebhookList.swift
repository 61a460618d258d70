import Ledger
import Notices

/// The notices as the ledger has them: what nobody was told yet, what is on its way, what has arrived, what was given
/// up.
struct WebhookList: Sendable {
    var dead: [DeliveryRecord] = []
    var pending: [DeliveryRecord] = []
    var delivered: [DeliveryRecord] = []

    init() {}

    /// - Parameter since: unix milliseconds; nil: nobody is to be told, and sales without a notice are owed none.
    init(_ ledger: Ledger, since: Int64?) async throws(LedgerError) {
        let kind = NoticeOutbox.kind
        dead = try await ledger.deliveries(kind, in: "dead")
        pending = try await ledger.deliveries(kind, in: "pending")
        delivered = try await ledger.deliveries(kind, in: "delivered")
        guard let since else { return }
        let untold = try await ledger.untoldSales(kind, of: NoticeOutbox.toldStates, since: since)
        pending += untold.map { id in
            DeliveryRecord(transactionID: id, kind: kind, state: "pending", tries: 0, dueAt: nil)
        }
    }
}

/// What is left to be told.
struct WebhookCounts: Sendable {
    var pending = 0
    /// Only a person can send these now.
    var dead = 0

    init() {}

    /// After everything that is owed has a notice.
    init(_ ledger: Ledger, _ outbox: NoticeOutbox) async throws(LedgerError) {
        pending = try await ledger.deliveries(NoticeOutbox.kind, in: "pending").count + outbox.untold().count
        dead = try await ledger.deliveries(NoticeOutbox.kind, in: "dead").count
    }

    var isEmpty: Bool { pending == 0 && dead == 0 }
}
