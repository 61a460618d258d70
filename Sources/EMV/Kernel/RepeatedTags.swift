import BERTLV

extension Array where Element == Tag {
    /// A tag is there more than once. Sorts, so that a card which sends thousands does not cost their square.
    var hasRepetition: Bool {
        let sorted = sorted()
        return zip(sorted, sorted.dropFirst()).contains { $0 == $1 }
    }
}
