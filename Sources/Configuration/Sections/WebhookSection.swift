import JSONText

/// Where approved sales are told to the merchant's server, and how that is signed. The secret stands in a file of its
/// own.
public struct WebhookSection: ConfigurationSection, Hashable {
    /// One receiver.
    public struct Receiver: Sendable, Hashable {
        /// https, or http to this machine.
        public let url: String
        /// The merchant's id, printable ASCII.
        public let keyID: String
        /// From / on.
        public let secretFile: String
        /// `kushki` or `readerkit`.
        public let form: String
        /// The merchant's user, as the receiver knows it.
        public let userID: Int
        /// Older sales are not told of.
        public let since: InternetTime
        /// Of the certificate authorities, PEM; nil: the system's.
        public let authorityFile: String?
    }

    /// Nil: nobody is told.
    public let receiver: Receiver?

    init(_ file: ObjectReader) {
        self = file.object("webhook") { WebhookSection(object: $0) }
    }

    private init(object: ObjectReader) {
        let url = object.value("url", Self.urlRule)
        let keyID = object.value("keyId", .ascii(1...128))
        let secretFile = object.value("secretFile", .absolutePath)
        let form = object.value("form", Self.formRule)
        let userID = object.value("userId", .wholeNumber(0...999_999_999))
        let since = object.value("since", InternetTime.rule)
        let authorityFile = object.value("authorityFile", .absolutePath)
        let isEmpty = [url, keyID, secretFile, form, authorityFile, since?.text].allSatisfy { $0 == nil }
        guard !isEmpty || userID != nil else {
            receiver = nil
            return
        }
        for key in ["url", "keyId", "secretFile", "since"]
        where object.record.absentKeys.contains("webhook." + key) {
            object.report(key, "it is needed beside the other keys, nothing was given")
        }
        guard let url, let keyID, let secretFile, let since else {
            receiver = nil
            return
        }
        receiver = Receiver(
            url: url, keyID: keyID, secretFile: secretFile, form: form ?? "kushki", userID: userID ?? 0,
            since: since, authorityFile: authorityFile)
    }

    private static let urlRule = ValueRule<String>.text(
        "an https address is expected, or an http one of this machine (127.0.0.1, [::1], localhost)"
    ) { text in
        WebhookAddress.isUsable(text) ? .value(text) : .refused("another text was given")
    }

    private static let formRule = ValueRule<String>.text("\"kushki\" or \"readerkit\" is expected") { text in
        ["kushki", "readerkit"].contains(text) ? .value(text) : .refused("another text was given")
    }

    var members: [JSONValue.Member] {
        guard let receiver else { return [] }
        let fields: [JSONValue.Member] = [
            .init("url", .string(receiver.url)), .init("keyId", .string(receiver.keyID)),
            .init("secretFile", .string(receiver.secretFile)), .init("form", .string(receiver.form)),
            .init("userId", .integer(Int64(receiver.userID))), .init("since", .string(receiver.since.text)),
        ]
        let authority = receiver.authorityFile.map { [JSONValue.Member("authorityFile", .string($0))] } ?? []
        return [.init("webhook", .object(fields + authority))]
    }
}

extension KioskConfiguration {
    public var webhook: WebhookSection { self[WebhookSection.self] }
}
