public import BERTLV
import Crypto

/// What the card said about itself: primitive data objects by tag. Copies share the bytes, which are overwritten when the
/// last copy is wiped or goes away.
public struct CardObjects: Sendable {
    private var values: [Tag: SecretBytes] = [:]

    public subscript(tag: Tag) -> [UInt8]? { values[tag]?.withBytes { Array($0) } }

    /// False when the object is there already: a card that sends one twice is in error (Book 3, 10.2).
    mutating func add(_ tag: Tag, _ value: [UInt8]) -> Bool {
        guard values[tag] == nil else { return false }
        values[tag] = SecretBytes(value)
        return true
    }

    mutating func replace(_ tag: Tag, _ value: [UInt8]) {
        values[tag] = SecretBytes(value)
    }

    /// Lets go of every value.
    public mutating func wipe() {
        values = [:]
    }
}

extension CardObjects: CustomStringConvertible, CustomReflectable {
    /// The number of objects only: values hold card data.
    public var description: String { "\(values.count) card objects" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
