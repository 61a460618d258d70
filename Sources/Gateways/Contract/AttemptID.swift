/// The identity of one attempt to move money, made by the caller before anything leaves and used for queries, reversals
/// and to recognise a repeated request.
public struct AttemptID: Hashable, Sendable {
    public let text: String

    /// Nil unless `text` is 1 to 64 printable ASCII characters without spaces.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        self.text = text
    }
}

extension AttemptID: CustomStringConvertible {
    public var description: String { text }
}
