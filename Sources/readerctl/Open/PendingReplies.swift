import AppToApp
import JSONText
import Ledger
import Payments
import Transport

/// The replies that have not reached their app yet, in `undelivered` of the data directory; and in `awaited` those that
/// said "unknown", whose callers are to hear once more.
struct PendingReplies: Sendable {
    let installation: Installation
    let console: Console

    private var store: UndeliveredReplies { UndeliveredReplies(directory: installation.dataDirectory + "/undelivered") }

    private var awaited: UndeliveredReplies { UndeliveredReplies(directory: installation.dataDirectory + "/awaited") }

    var count: Int { (try? names().count) ?? 0 }

    // MARK: One reply

    /// Nil, with a sentence, when it cannot be written down; it can be sent all the same.
    func keep(_ reply: KeptReply, named name: String) -> HeldReply? {
        do throws(StorageFailure) {
            return try store.keep(reply, named: name)
        } catch {
            console.error("The reply cannot be kept for a later attempt: \(error).")
            return nil
        }
    }

    func finish(_ held: HeldReply) {
        do throws(StorageFailure) {
            try held.delivered()
        } catch {
            console.error("A reply that was delivered may be delivered again: \(error).")
        }
    }

    /// Whether it is kept.
    func postpone(_ held: HeldReply, _ failure: DeliveryFailure) -> Bool {
        do throws(StorageFailure) {
            try held.failed(failure)
        } catch {
            console.note("The attempt is not counted: \(error).")
        }
        return true
    }

    // MARK: Unknown, and then known

    /// Remembers who was told that the outcome is unknown, or that he need not be told again.
    func awaitOutcome(_ reply: KeptReply, named name: String) {
        do throws(StorageFailure) {
            if reply.reply[.outcome] == PaymentOutcome.unknown.rawValue {
                _ = try awaited.keep(reply, named: name)
            } else {
                try awaited.take(name)?.delivered()
            }
        } catch {
            console.error("The caller cannot be told of the final outcome: \(error).")
        }
    }

    /// Keeps a final reply for each payment whose outcome was unknown and is known now.
    ///
    /// - Returns: their names.
    func settle(with ledger: Ledger) async -> [String] {
        guard let names = try? awaited.names() else { return [] }
        var settled: [String] = []
        for name in names {
            guard let held = awaited.take(name), let record = try? await ledger.transaction(name) else { continue }
            let response = PaymentResult(record).response
            guard response.outcome != .unknown else { continue }
            let now = SystemWallClock().nowMilliseconds()
            let reply = KeptReply(held.reply.reply.updated(response), to: held.reply.address, createdAt: now)
            // The new one is on disk before the old one goes: in between, both are there, and the next run does it
            // again.
            guard keep(reply, named: name) != nil else { continue }
            finish(held)
            settled.append(name)
        }
        return settled
    }

    /// Offers these, each once.
    func offer(_ names: [String], _ settings: AppToAppSettings) async {
        for name in names {
            switch await attempt(name, settings) {
            case .delivered: console.note("The final reply \(name) was delivered.")
            case .failed: console.note("The final reply \(name) is kept; 'readerctl open --retry' offers it again.")
            case .skipped: break
            }
        }
    }

    // MARK: All of them

    /// `--pending`
    func list(json: Bool) throws(CommandFailure) -> ExitStatus {
        let replies = try names().compactMap { name in store.reply(named: name).map { (name, $0) } }
        if json {
            console.print(.object(["replies": .array(replies.map { Self.document($0, $1) })]))
        } else {
            for (name, reply) in replies { console.print(Self.line(name, reply)) }
            if replies.isEmpty { console.note("Every reply has been delivered.") }
        }
        return .done
    }

    /// `--retry`
    func retry(json: Bool) async throws(CommandFailure) -> ExitStatus {
        let settings = try installation.appToApp()
        if let ledger = try await installation.openLedgerForReading() {
            _ = await settle(with: ledger)
            await ledger.close()
        }
        var delivered: [String] = []
        for name in try names() where !Task.isCancelled {
            if await attempt(name, settings) == .delivered { delivered.append(name) }
        }
        let left = try names().compactMap { name in store.reply(named: name).map { (name, $0) } }
        if json {
            console.print(
                .object([
                    "delivered": .array(delivered.map(JSONValue.string)),
                    "replies": .array(left.map { Self.document($0, $1) }),
                ]))
        } else {
            for name in delivered { console.print("\(name)  delivered") }
            for (name, reply) in left { console.print(Self.line(name, reply)) }
            if delivered.isEmpty, left.isEmpty { console.note("Every reply has been delivered.") }
        }
        return left.isEmpty ? .done : .unknownOutcome
    }

    /// Beside another request: no longer than one attempt may take.
    func offerAgain(_ settings: AppToAppSettings, except own: String) async {
        let end = Deadline.after(settings.deliveryLimit, on: installation.clock)
        guard let names = try? names() else { return }
        for name in names where name != own && !end.hasPassed(on: installation.clock) {
            if await attempt(name, settings) == .delivered { console.note("The kept reply \(name) was delivered.") }
        }
    }

    private enum Attempt { case delivered, failed, skipped }

    private func attempt(_ name: String, _ settings: AppToAppSettings) async -> Attempt {
        guard let held = store.take(name) else { return .skipped }
        do throws(DeliveryFailure) {
            try await ReplyDelivery(settings, clock: installation.clock).deliver(
                held.reply.reply, to: held.reply.address)
            finish(held)
            return .delivered
        } catch {
            _ = postpone(held, error)
            return .failed
        }
    }

    private func names() throws(CommandFailure) -> [String] {
        do throws(StorageFailure) {
            return try store.names()
        } catch {
            throw CommandFailure(.internalError, "\(error).")
        }
    }

    private static func document(_ name: String, _ reply: KeptReply) -> JSONValue {
        .object([
            "transactionid": .string(reply.reply[.transactionid] ?? ""), "name": .string(name),
            "address": .string(reply.address.text), "createdAt": .integer(reply.createdAt),
            "attempts": .integer(Int64(reply.attempts)), "problem": .string(reply.problem),
            "reply": reply.reply.jsonValue,
        ])
    }

    private static func line(_ name: String, _ reply: KeptReply) -> String {
        "\(name)  \(reply.reply.result.rawValue)  \(reply.address.place)  \(reply.attempts)  \(reply.problem)"
            .printable()
    }
}
