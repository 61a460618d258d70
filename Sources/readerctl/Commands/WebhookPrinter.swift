import JSONText
import Ledger
import Notices
import Payments

/// Shows notices and attempts to deliver them.
struct WebhookPrinter: Sendable {
    let console: Console
    let json: Bool

    func list(_ list: WebhookList) {
        let all = list.dead + list.pending + list.delivered
        if json {
            console.print(
                .object([
                    "webhooks": .array(all.map { .object(Self.members($0)) }),
                    "pending": .integer(Int64(list.pending.count)),
                    "delivered": .integer(Int64(list.delivered.count)), "dead": .integer(Int64(list.dead.count)),
                ]))
            return
        }
        for delivery in all { console.print(Self.line(delivery, nil).printable()) }
        if all.isEmpty { console.note("No sale is to be told of.") }
    }

    /// - Parameter isShown: the lines of the attempts have been printed.
    func show(_ attempts: [NoticeAttempt], left: WebhookCounts, isShown: Bool = false) -> ExitStatus {
        if json {
            console.print(
                .object([
                    "attempts": .array(attempts.map(Self.object)), "pending": .integer(Int64(left.pending)),
                    "dead": .integer(Int64(left.dead)),
                ]))
        } else {
            if !isShown { attempts.forEach(printLine) }
            if attempts.isEmpty { console.note("Nothing is due.") }
            if !left.isEmpty {
                console.note("Left: \(left.pending) pending, \(left.dead) given up (readerctl webhooks --retry ID).")
            }
        }
        return left.isEmpty ? .done : .unknownOutcome
    }

    func printLine(_ attempt: NoticeAttempt) {
        console.print(Self.line(attempt.delivery, attempt.problem).printable())
    }

    /// One attempt of `--watch`.
    func printWatched(_ attempt: NoticeAttempt) {
        if json { console.print(Self.object(attempt)) } else { printLine(attempt) }
    }

    private static func object(_ attempt: NoticeAttempt) -> JSONValue {
        .object(members(attempt.delivery) + [.init("problem", .optional(attempt.problem))])
    }

    private static func members(_ delivery: DeliveryRecord) -> [JSONValue.Member] {
        [
            .init("transactionid", .string(delivery.transactionID)), .init("state", .string(delivery.state.rawValue)),
            .init("tries", .integer(Int64(delivery.tries))),
            .init("dueAt", delivery.dueAt.map(JSONValue.integer) ?? .null),
        ]
    }

    private static func line(_ delivery: DeliveryRecord, _ problem: String?) -> String {
        var fields = [delivery.transactionID, delivery.state.rawValue, "attempts: \(delivery.tries)"]
        if let due = delivery.dueAt {
            fields.append("next: " + TimeZoneRule.mexicoCity().civilTime(atMilliseconds: due).text)
        }
        if let problem { fields.append("(\(problem))") }
        return fields.joined(separator: "  ")
    }
}
