/// A request that cannot be carried out as it was asked, found before anything was started or written.
public struct RequestProblem: Error, Sendable, Hashable {
    /// Which parameter, by its name in the request: `amount`, `tip`, `msi`, …
    public let field: String
    /// What is wrong and what to write instead, in English.
    public let sentence: String
    /// The entry of the `statusinfo` catalogue for the caller.
    public let statusInfo: StatusInfo

    public init(field: String, sentence: String, statusInfo: StatusInfo? = nil) {
        self.field = field
        self.sentence = sentence
        self.statusInfo = statusInfo ?? .invalidField(field)
    }
}

extension RequestProblem: CustomStringConvertible {
    public var description: String { sentence }
}
