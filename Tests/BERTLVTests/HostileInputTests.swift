import BERTLV
import SeededInput
import Testing

@Suite("Hostile TLV input")
struct HostileInputTests {
    @Test("random bytes are read within their bounds in every padding mode", arguments: TLVPadding.allCases)
    func random(_ padding: TLVPadding) {
        var numbers = SeededNumbers(seed: 0xE3)
        let bait: [UInt8] = [0x00, 0xFF, 0x70, 0x9F, 0x80, 0x81, 0x88, 0xFF, 0x02, 0x01]
        for round in 0..<4000 {
            let count = Int.random(in: 0...120, using: &numbers)
            let bytes = (0..<count).map { _ in
                round % 2 == 0
                    ? UInt8.random(in: 0...255, using: &numbers) : bait[Int.random(in: 0..<bait.count, using: &numbers)]
            }
            let options = TLVOptions(padding: padding, splitsStatusWord: round % 3 == 0)
            let tree = TLVTree(parsing: bytes, options: options)
            Self.expectBounded(tree.nodes, within: 0..<bytes.count)
            #expect(tree.problems.allSatisfy { (0...bytes.count).contains($0.offset) })
            #expect(tree.problems.count <= bytes.count + 1)
        }
    }

    @Test("every cut of a record is read without trapping and its complete objects are kept")
    func cuts() {
        let record = hex("9F2701809F360200419F26084573436B1E4B95DD9F10120110A00009248400000000000000000029FF")
        let whole = TLVTree(parsing: record)
        for count in 0...record.count {
            let tree = TLVTree(parsing: Array(record.prefix(count)))
            #expect(tree.nodes == whole.nodes.filter { $0.valueRange.upperBound <= count })
            let isBoundary = count == 0 || whole.nodes.contains { $0.valueRange.upperBound == count }
            #expect(tree.isClean == isBoundary)
        }
    }

    @Test("a reader moves forward on long runs of FF before small tags")
    func linearFiller() {
        let bytes = Array((0..<20_000).map { _ in hex("FF8105 83 00FFFF 0101") }.joined())
        let tree = TLVTree(parsing: bytes, options: TLVOptions(padding: .any))
        Self.expectBounded(tree.nodes, within: 0..<bytes.count)
    }

    private static func expectBounded(_ nodes: [TLVNode], within range: Range<Int>) {
        var position = range.lowerBound
        for node in nodes {
            guard node.offset >= position, node.valueRange.lowerBound > node.offset,
                node.valueRange.upperBound <= range.upperBound
            else {
                Issue.record("an object leaves its template: \(node.tag) at \(node.offset)")
                return
            }
            position = node.valueRange.upperBound
            expectBounded(node.children, within: node.valueRange)
        }
    }
}
