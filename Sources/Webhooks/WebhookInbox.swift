public import Crypto
import FoundationEssentials
import Synchronization

/// The receiving side: says what to do with a webhook, from its raw bytes, and lets each transaction through once.
/// May be used by any number of threads at a time.
public final class WebhookInbox: Sendable {
    public enum Verdict: Sendable, Hashable {
        /// The address is being tried: answer 200, book nothing.
        case ping
        /// Book this transaction, then answer 200.
        case book(transactionID: String)
        /// It was let through before: answer 200, book nothing.
        case repeated(transactionID: String)
        /// Answer 403, book nothing.
        case refused(WebhookCheck)
        /// Signed, but no notice: answer 400, book nothing.
        case malformed

        /// The HTTP status of the answer.
        public var status: Int {
            switch self {
            case .ping, .book, .repeated: 200
            case .refused(let check): check.status
            case .malformed: 400
            }
        }
    }

    /// Bytes of a body; a longer one is not looked at.
    public static let largestBody = 65_536

    private let secret: SecretBytes
    private let seen: Mutex<SeenNotices>

    /// - Parameter capacity: as of `SeenNotices`.
    public init(secret: SecretBytes, capacity: Int = 10_000) {
        self.secret = secret
        seen = Mutex(SeenNotices(capacity: capacity))
    }

    /// In Kushki's form.
    ///
    /// - Parameters:
    ///   - id: the header `X-Kushki-Id`.
    ///   - signature: the header `X-Kushki-Signature`.
    ///   - now: unix seconds.
    public func receive(
        body: [UInt8], id: String?, signature: String?, now: Int64
    ) throws(CryptoError) -> Verdict {
        guard body.count <= Self.largestBody else { return .malformed }
        return verdict(
            try WebhookCheck.check(body: body, id: id, signature: signature, secret: secret, now: now), body)
    }

    /// In the form `readerkit`.
    public func receive(body: [UInt8], header: String?, now: Int64) throws(CryptoError) -> Verdict {
        guard body.count <= Self.largestBody else { return .malformed }
        return verdict(try WebhookCheck.check(body: body, header: header, secret: secret, now: now), body)
    }

    private func verdict(_ check: WebhookCheck, _ body: [UInt8]) -> Verdict {
        switch check {
        case .ping: return .ping
        case .staleTime, .badSignature: return .refused(check)
        case .genuine:
            guard let id = Self.transactionID(in: body), (1...SeenNotices.longestID).contains(id.utf8.count) else {
                return .malformed
            }
            return seen.withLock { $0.isNew(id) } ? .book(transactionID: id) : .repeated(transactionID: id)
        }
    }

    private struct Named: Decodable {
        let transactionid: String
    }

    private static func transactionID(in body: [UInt8]) -> String? {
        try? JSONDecoder().decode(Named.self, from: Data(body)).transactionid
    }
}
