public import BERTLV
import Crypto

/// What the card said about itself: primitive data objects by tag. Copies share the bytes, which are overwritten when the
/// last copy is wiped or goes away.
public struct CardObjects: Sendable {
    /// A part of an answer: all objects of one answer share its bytes.
    private struct Value: Sendable {
        let answer: SecretBytes
        let range: Range<Int>
    }

    /// Usual cards have fewer objects: to look through them is quicker than to hash a tag.
    private static let listedCount = 64
    private static let usualCount = 32

    private var tags: [Tag] = []
    private var values: [Value] = []
    /// What goes beyond, so that no card can make the search long.
    private var others: [Tag: Value] = [:]

    public subscript(tag: Tag) -> [UInt8]? {
        guard let value = value(of: tag) else { return nil }
        return value.answer.withBytes { Array(UnsafeRawBufferPointer(rebasing: $0[value.range])) }
    }

    func contains(_ tag: Tag) -> Bool { value(of: tag) != nil }

    /// AIP byte 1 has `mask` set (Book 3, Annex C1).
    func interchangeProfileHas(_ mask: UInt8) -> Bool {
        (self[.applicationInterchangeProfile]?.first ?? 0) & mask != 0
    }

    /// False when the object is there already: a card that sends one twice is in error (Book 3, 10.2).
    mutating func add(_ tag: Tag, _ value: [UInt8]) -> Bool {
        add(tag, 0..<value.count, of: SecretBytes(value))
    }

    /// The same for an object whose value stands at `range` of an answer.
    mutating func add(_ tag: Tag, _ range: Range<Int>, of answer: SecretBytes) -> Bool {
        guard !contains(tag) else { return false }
        append(tag, Value(answer: answer, range: range))
        return true
    }

    mutating func replace(_ tag: Tag, _ value: [UInt8]) {
        replace(tag, 0..<value.count, of: SecretBytes(value))
    }

    mutating func replace(_ tag: Tag, _ range: Range<Int>, of answer: SecretBytes) {
        let value = Value(answer: answer, range: range)
        if let place = tags.firstIndex(of: tag) {
            values[place] = value
        } else {
            append(tag, value)
        }
    }

    /// Lets go of every value.
    public mutating func wipe() {
        self = CardObjects()
    }

    private func value(of tag: Tag) -> Value? {
        if let place = tags.firstIndex(of: tag) { return values[place] }
        return others.isEmpty ? nil : others[tag]
    }

    /// Sets a value that is not in the list.
    private mutating func append(_ tag: Tag, _ value: Value) {
        if tags.count < Self.listedCount {
            if tags.isEmpty {
                tags.reserveCapacity(Self.usualCount)
                values.reserveCapacity(Self.usualCount)
            }
            tags.append(tag)
            values.append(value)
        } else {
            others[tag] = value
        }
    }
}

extension CardObjects: CustomStringConvertible, CustomReflectable {
    /// The number of objects only: values hold card data.
    public var description: String { "\(values.count + others.count) card objects" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
