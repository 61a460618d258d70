import BERTLV
import SeededInput
import Testing

@Suite("The TLV encoder")
struct EncodingTests {
    @Test(
        "writes the shortest length",
        arguments: [
            (0, "00"), (1, "01"), (127, "7F"), (128, "8180"), (255, "81FF"), (256, "820100"), (65_535, "82FFFF"),
            (65_536, "83010000"),
        ])
    func shortest(_ count: Int, _ length: String) {
        let value = Array(repeating: UInt8(0x41), count: count)
        #expect(encodeTLV(0x9F26, value) == [0x9F, 0x26] + hex(length) + value)
    }

    @Test("writes templates")
    func templates() {
        var encoder = TLVEncoder()
        encoder.append(0x6F) { fci in
            fci.append(0x84, hex("A0000000031010"))
            fci.append(0xA5) { $0.append(0x50, Array("VISA".utf8)) }
        }
        #expect(encoder.bytes == hex("6F11 8407A0000000031010 A506 500456495341"))
    }

    @Test("and the reader agree on random trees", arguments: 1...20)
    func roundTrip(_ seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        for _ in 0..<50 {
            let bytes = Self.objects(depth: 4, &numbers)
            let tree = TLVTree(parsing: bytes)
            #expect(tree.problems.isEmpty)
            #expect(Self.encode(tree.nodes, tree) == bytes)
        }
    }

    private static let primitive: [BERTLV.Tag] = [0x5A, 0x9F26, 0xDF8116, 0x82, 0xDF81FF7F, 0x9F1E, 0xC1]
    private static let constructed: [BERTLV.Tag] = [0x70, 0xA5, 0xBF0C, 0xFF8105, 0xE1, 0x30]

    private static func objects(depth: Int, _ numbers: inout SeededNumbers) -> [UInt8] {
        var encoder = TLVEncoder()
        for _ in 0..<Int.random(in: 1...4, using: &numbers) {
            if depth > 0, Bool.random(using: &numbers), let tag = constructed.randomElement(using: &numbers) {
                encoder.append(tag, objects(depth: depth - 1, &numbers))
            } else if let tag = primitive.randomElement(using: &numbers) {
                let count = Int.random(in: 0...140, using: &numbers)
                encoder.append(tag, (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) })
            }
        }
        return encoder.bytes
    }

    private static func encode(_ nodes: [TLVNode], _ tree: TLVTree) -> [UInt8] {
        nodes.flatMap { node in
            encodeTLV(node.tag, node.children.isEmpty ? tree.value(of: node) : encode(node.children, tree))
        }
    }
}
