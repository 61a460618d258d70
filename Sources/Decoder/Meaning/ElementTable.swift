import BERTLV
import EMV

/// The data dictionary laid out for speed: one look-up an object, and nothing that counts references.
struct ElementTable: Sendable {
    /// What decoding needs to know of a tag.
    struct Element: Sendable {
        var shortest: Int
        var longest: Int
        var step: Int
        var isAmbiguous: Bool
        var isText: Bool
        var sensitive: SensitiveTag.Kind?
        /// `9F26 Application Cryptogram (AC)` among the labels; the name alone begins at `nameStart`.
        var labelStart: Int
        var nameStart: Int
        var labelEnd: Int

        func allows(_ length: Int) -> Bool {
            isAmbiguous || (length >= shortest && length <= longest && (step == 1 || length % step == 0))
        }
    }

    static let shared = ElementTable()

    let elements: [Element]
    let labels: [UInt8]
    /// For each tag of one or two bytes the position in `elements`, or -1.
    private let short: [Int16]
    private let longTags: [UInt64]
    private let longPositions: [Int]

    private init() {
        var elements: [Element] = []
        var labels: [UInt8] = []
        var short = [Int16](repeating: -1, count: 0x1_0000)
        var longTags: [UInt64] = []
        var longPositions: [Int] = []
        for (position, element) in DataDictionary.elements.enumerated() {
            let start = labels.count
            labels += element.tag.description.utf8
            labels.append(UInt8(ascii: " "))
            let nameStart = labels.count
            labels += element.name.utf8
            elements.append(
                Element(
                    shortest: element.lengths.lowerBound, longest: element.lengths.upperBound, step: element.step,
                    isAmbiguous: element.isAmbiguous, isText: element.isText,
                    sensitive: SensitiveTag.kind(of: element.tag), labelStart: start, nameStart: nameStart,
                    labelEnd: labels.count))
            if element.tag.number < 0x1_0000 {
                short[Int(element.tag.number)] = Int16(clamping: position)
            } else {
                longTags.append(element.tag.number)
                longPositions.append(position)
            }
        }
        self.elements = elements
        self.labels = labels
        self.short = short
        self.longTags = longTags
        self.longPositions = longPositions
    }

    /// The position in `elements`; -1 for an unknown tag.
    func position(of tag: Tag) -> Int {
        if tag.number < 0x1_0000 { return Int(short[Int(tag.number)]) }
        var low = 0
        var high = longTags.count
        while low < high {
            let middle = (low + high) / 2
            if longTags[middle] < tag.number { low = middle + 1 } else { high = middle }
        }
        return low < longTags.count && longTags[low] == tag.number ? longPositions[low] : -1
    }
}

extension Meaning {
    /// The name of an object, or `unknown`.
    mutating func put(nameOf tag: Tag) {
        let table = ElementTable.shared
        let position = table.position(of: tag)
        guard position >= 0 else {
            put("unknown")
            return
        }
        let element = table.elements[position]
        table.labels.withUnsafeBufferPointer { labels in
            put(UnsafeBufferPointer(rebasing: labels[element.nameStart..<element.labelEnd]))
        }
    }

    mutating func put(tag: Tag) {
        for shift in (0..<tag.byteCount).reversed() {
            put(hex: UInt8(truncatingIfNeeded: tag.number >> UInt64(shift * 8)))
        }
    }
}
