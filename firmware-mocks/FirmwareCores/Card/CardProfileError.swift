/// A card file that does not make sense. Never carries card data.
public struct CardProfileError: Error, Sendable, Hashable, CustomStringConvertible {
    public let file: String
    public let explanation: String

    init(_ file: String, _ explanation: String) {
        self.file = file
        self.explanation = explanation
    }

    public var description: String { "\(file): \(explanation)" }
}
