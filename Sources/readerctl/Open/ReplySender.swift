import AppToApp
import Ledger
import Payments
import Transport

/// Sees to it that a reply reaches the app that asked: now, or later.
struct ReplySender: Sendable {
    let settings: AppToAppSettings
    let installation: Installation
    let console: Console
    /// As the caller named it.
    let address: ReplyAddress?
    let isPrinting: Bool

    /// From so many kept replies on, only those about payments are kept.
    private static let mostKept = 1000

    /// - Parameters:
    ///   - transactionID: empty when no payment was begun.
    ///   - ledger: whose journal is told, for a payment.
    func send(_ reply: AppReply, about transactionID: String, _ ledger: Ledger?) async {
        guard let address, settings.replies.allows(address) else {
            return console.note("The caller gets no reply: it names no address to which replies may go (replySchemes).")
        }
        if isPrinting { return console.print(address.url(with: reply)) }
        // In a task of its own: who cancels a payment wants the caller to know of it.
        await Task { await deliver(reply, to: address, transactionID, ledger) }.value
    }

    private func deliver(
        _ reply: AppReply, to address: ReplyAddress, _ transactionID: String, _ ledger: Ledger?
    ) async {
        let now = SystemWallClock().nowMilliseconds()
        let id =
            transactionID.isEmpty
            ? TransactionID.make(atMilliseconds: now, random: SystemRandomSource()) : transactionID
        let pending = PendingReplies(installation: installation, console: console)
        // Anybody can send requests that are refused; they must not fill the disk.
        let isWorthKeeping = !transactionID.isEmpty || pending.count < Self.mostKept
        let kept = KeptReply(reply, to: address, createdAt: now)
        if !transactionID.isEmpty { pending.awaitOutcome(kept, named: id) }
        let held = isWorthKeeping ? pending.keep(kept, named: id) : nil
        var remark = "reply delivered to \(address.place)"
        do throws(DeliveryFailure) {
            try await ReplyDelivery(settings, clock: installation.clock).deliver(reply, to: address)
            if let held { pending.finish(held) }
        } catch {
            remark = "reply not delivered to \(address.place): \(error)"
            let isKept = held.map { pending.postpone($0, error) } ?? false
            console.error(
                "The reply could not be delivered: \(error)."
                    + (isKept ? " It is kept, and offered again by the next 'readerctl open' and by --retry." : ""))
        }
        if !transactionID.isEmpty, let ledger { await note(remark, transactionID, ledger) }
        await pending.offerAgain(settings, except: id)
    }

    private func note(_ remark: String, _ id: String, _ ledger: Ledger) async {
        do throws(LedgerError) {
            try await ledger.note(id, detail: remark, at: SystemWallClock().nowMilliseconds())
        } catch {
            console.note("A remark could not be added to the journal: \(error.sentence)")
        }
    }
}
