import Payments

/// A reply that is to reach its app, as it is kept until it has.
public struct KeptReply: Sendable, Hashable {
    public let reply: AppReply
    public let address: ReplyAddress
    /// Milliseconds since 1970, UTC.
    public let createdAt: Int64
    /// How often it was tried in vain.
    public var attempts: Int
    /// Why it failed last; empty before the first attempt.
    public var problem: String

    public init(_ reply: AppReply, to address: ReplyAddress, createdAt: Int64) {
        self.reply = reply
        self.address = address
        self.createdAt = createdAt
        attempts = 0
        problem = ""
    }

    /// Version 1 of the file: one line of pairs in the encoding of requests and replies.
    var fileText: String {
        let pairs = [
            ("version", "1"), ("createdAt", String(createdAt)), ("attempts", String(attempts)), ("problem", problem),
            ("address", address.text), ("reply", reply.query),
        ]
        return pairs.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&") + "\n"
    }

    /// Nil for a text that is no such file.
    init?(fileText: String) {
        guard fileText.utf8.count <= 2 * URLParameters.largestText, fileText.hasSuffix("\n") else { return nil }
        let parameters = URLParameters(pairs: String(fileText.dropLast()))
        let values = ReceivedValues(parameters.parameters)
        guard parameters.faults.isEmpty, values.contradictions.isEmpty, values["version"] == "1",
            let createdAt = values["createdAt"].flatMap({ Int64($0) }),
            let attempts = values["attempts"].flatMap({ Int($0) }), attempts >= 0,
            let address = values["address"].flatMap({ try? ReplyAddress(parsing: $0) }),
            let reply = values["reply"].flatMap({ try? AppReply(pairs: $0) })
        else { return nil }
        self.reply = reply
        self.address = address
        self.createdAt = createdAt
        self.attempts = attempts
        problem = values["problem"] ?? ""
    }
}
