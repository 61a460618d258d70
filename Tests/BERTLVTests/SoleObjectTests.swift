import BERTLV
import SeededInput
import Testing

/// A sole object is what a tree with one node and no problem is.
@Suite struct SoleObjectTests {
    @Test("the objects inside are found where they stand, duplicates and unknown ones too")
    func children() throws {
        let bytes = hex("00 70 10 5A021234 00 A503 500141 5A0156 DF0100 0000")
        let object = try #require(SoleObject(parsing: bytes))
        #expect(object.tag == 0x70)
        #expect(object.value == Array(bytes[3..<19]))
        let children = object.children
        #expect(children.map(\.tag) == [0x5A, 0xA5, 0x5A, 0xDF01])
        #expect(children.map(children.value(of:)) == [hex("1234"), hex("500141"), hex("56"), []])
        #expect(children[0x5A] == hex("1234"))
        #expect(children[0xDF01] == [])
        #expect(children[0x57] == nil)
    }

    @Test("a template has no value of its own, only objects inside")
    func template() throws {
        let object = try #require(SoleObject(parsing: hex("6F07 A505 A503 500141")))
        let inside = try #require(object.children.first { $0.tag == 0xA5 })
        #expect(object.children[0xA5] == nil)
        #expect(object.children.children(of: inside).map(\.tag) == [0xA5])
    }

    @Test(
        "nothing, half an object, two objects and what is unsound at any level are no sole object",
        arguments: ["", "00", "70", "7001", "5A0112 5A0112", "7003 5A0212", "7005 A503 5A0212", "7080 0000", "5A 8912"])
    func refused(text: String) {
        #expect(SoleObject(parsing: hex(text)) == nil)
    }

    @Test("a length that could be shorter is sound", arguments: ["5A810112", "70820005 5A82000112", "9F800101"])
    func longLength(text: String) {
        Self.expectAsTree(hex(text))
    }

    @Test("templates within templates are read as deep as in a tree", arguments: 28...36)
    func depth(levels: Int) {
        var bytes = hex("5A0112")
        for _ in 0..<levels { bytes = encodeTLV(0x70, bytes) }
        Self.expectAsTree(bytes)
        #expect((SoleObject(parsing: bytes) == nil) == (levels > 31))
    }

    @Test("whatever the bytes, it is a tree's only and clean node, with the same objects inside")
    func damaged() {
        var numbers = SeededNumbers(seed: 0x50)
        let discretionary = encodeTLV(0xBF0C, encodeTLV(0x5F54, hex("1122")))
        let proprietary = encodeTLV(0xA5, encodeTLV(0x50, hex("5649")) + discretionary)
        let record = encodeTLV(0x70, encodeTLV(0x5A, hex("4761739001010119")) + proprietary + hex("9F270180"))
        let bait: [UInt8] = [0x00, 0xFF, 0x70, 0x9F, 0x80, 0x81, 0x88, 0x02, 0x01]
        for round in 0..<6000 {
            var bytes = record
            if round % 3 == 0 {
                bytes = (0..<Int.random(in: 0...30, using: &numbers)).map { _ in
                    bait[Int.random(in: 0..<bait.count, using: &numbers)]
                }
            } else {
                for _ in 0..<Int.random(in: 0...2, using: &numbers) {
                    bytes[Int.random(in: bytes.indices, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
                }
            }
            Self.expectAsTree(bytes)
        }
    }

    private static func expectAsTree(_ bytes: [UInt8]) {
        let tree = TLVTree(parsing: bytes)
        let object = SoleObject(parsing: bytes)
        guard tree.isClean, tree.nodes.count == 1, let node = tree.nodes.first else {
            #expect(object == nil, "\(bytes)")
            return
        }
        #expect(object?.tag == node.tag, "\(bytes)")
        #expect(object?.valueRange == node.valueRange, "\(bytes)")
        if let object { expectSame(object.children, node.children, bytes) }
    }

    private static func expectSame(_ children: TLVChildren, _ nodes: [TLVNode], _ bytes: [UInt8]) {
        let items = Array(children)
        #expect(items.map(\.tag) == nodes.map(\.tag), "\(bytes)")
        #expect(items.map(\.offset) == nodes.map(\.offset), "\(bytes)")
        #expect(items.map(\.valueRange) == nodes.map(\.valueRange), "\(bytes)")
        for (item, node) in zip(items, nodes) { expectSame(children.children(of: item), node.children, bytes) }
    }
}
