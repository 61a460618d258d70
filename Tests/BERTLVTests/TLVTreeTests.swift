import BERTLV
import Testing

/// Compact text of a tree: tags with values, templates with their objects, `!` before raw bytes.
private func sketch(_ tree: TLVTree, _ nodes: [TLVNode]? = nil) -> String {
    (nodes ?? tree.nodes).map { node in
        var text = node.tag.description
        if node.tag.isConstructed {
            text += "(" + sketch(tree, node.children)
            if let raw = node.rawRange { text += "!\(raw.count)" }
            return text + ")"
        }
        return text + ":\(node.length)"
    }.joined(separator: " ")
}

struct Reading: CustomTestStringConvertible, Sendable {
    var input: String
    var tree: String
    /// `code@offset`, space between.
    var problems = ""
    var options = TLVOptions()
    var testDescription: String { "\(input.prefix(40)) → \(tree)" }
}

@Suite("A TLV tree")
struct TLVTreeTests {
    static let wellFormed = [
        Reading(input: "", tree: ""),
        Reading(input: "9F2608C28B1AE0414D78B3", tree: "9F26:8"),
        Reading(input: "8E00", tree: "8E:0"),
        // jpos/jPOS 453: three-byte tags.
        Reading(input: "DF811603 1604AA DF812908 30F0F020B0F0FF00", tree: "DF8116:3 DF8129:8"),
        Reading(input: "FF8105 03 9F2700", tree: "FF8105(9F27:0)"),
        // A primitive value that looks like TLV stays a value.
        Reading(input: "DF0103 5A0100", tree: "DF01:3"),
        Reading(input: "9A03251130 9A03251130", tree: "9A:3 9A:3"),
        Reading(input: "0C0141 130142 3003020101", tree: "0C:1 13:1 30(02:1)"),
        Reading(input: "0000 9A03251130 00 70 05 00 9C0100 00 00", tree: "9A:3 70(9C:1)"),
        Reading(input: "5A 81 05 0102030405", tree: "5A:5", problems: "nonMinimalLength@1"),
        Reading(input: "9F8001 01 AA", tree: "9F8001:1", problems: "nonMinimalTag@0"),
        Reading(input: "5A 88 0000000000000001 AA", tree: "5A:1", problems: "nonMinimalLength@1"),
        Reading(input: "FFFFFF9F57 03 9C0100", tree: "FFFFFF9F57(9C:1)"),
    ]

    @Test("gives the objects of well-formed data", arguments: wellFormed)
    func readsWellFormed(_ reading: Reading) {
        check(reading)
        #expect(TLVTree(parsing: hex(reading.input)).isClean)
    }

    static let faulty = [
        Reading(input: "9F", tree: "", problems: "tagTruncated@1"),
        Reading(input: "9F26", tree: "", problems: "lengthMissing@2"),
        Reading(input: "9F2682", tree: "", problems: "lengthTruncated@3"),
        Reading(input: "9A03251130 9F2608AABB", tree: "9A:3", problems: "valueTruncated@10"),
        Reading(input: "9F26 88 8000000000000000", tree: "", problems: "lengthOverrun@2"),
        Reading(input: "9F26 88 7FFFFFFFFFFFFFFF", tree: "", problems: "lengthOverrun@2"),
        Reading(input: "9F26 88 FFFFFFFFFFFFFFFF 00", tree: "", problems: "lengthOverrun@2"),
        Reading(input: "70 80 9A03251130 0000", tree: "", problems: "indefiniteLength@1"),
        Reading(input: "9A 89 00", tree: "", problems: "lengthInvalid@1"),
        Reading(input: "9A FF 00", tree: "", problems: "lengthInvalid@1"),
        Reading(input: "9F8181818181818181810101FF", tree: "", problems: "tagTooLong@0"),
        // A child beyond its template; the sibling still decodes.
        Reading(
            input: "6106 4F08A0000000 9A03251130", tree: "61(!6) 9A:3", problems: "childOverrun@2"),
        Reading(
            input: "610A 870101 4F08A000000003 9A03251130", tree: "61(87:1!7) 9A:3", problems: "childOverrun@5"),
        // makinako/OpenFIPS201 59: 01 01 06, 02 01 00, then 03 03 with two bytes left.
        Reading(input: "7008 010106 020100 0303", tree: "70(01:1 02:1!2)", problems: "childOverrun@8"),
        Reading(input: "E001AA 9C0100", tree: "E0(!1) 9C:1", problems: "lengthMissing@3"),
        // A cut template is read to where it was cut.
        Reading(
            input: "70 1A 5F24032512319F36020001 9F26", tree: "70(5F24:3 9F36:2!2)",
            problems: "valueTruncated@15 lengthMissing@15"),
    ]

    @Test("tells what is wrong and where, and keeps the rest", arguments: faulty)
    func readsFaulty(_ reading: Reading) {
        check(reading)
        #expect(!TLVTree(parsing: hex(reading.input)).isClean)
    }

    static let padded = [
        Reading(
            input: "9A03251130 0000 9C0100", tree: "9A:3 9C:1", problems: "strictPadding@5",
            options: TLVOptions(padding: .strict)),
        // evsinev/ber-tlv 11, with its status word.
        Reading(
            input: "700C5F340101FFFFFF9F570208409000", tree: "70(5F34:1 9F57:2)",
            options: TLVOptions(padding: .any, splitsStatusWord: true)),
        // bitgamma/tlv 1: two records with 50 filler bytes.
        Reading(
            input: "7059" + String(repeating: "FF", count: 50)
                + "57134761739001010010D20121200012339900031F5F200F46554C4C2F46554E4354494F4E414C",
            tree: "70(57:19 5F20:15)", options: TLVOptions(padding: .any)),
        Reading(
            input: "6F81838407A0000000031010" + String(repeating: "FF", count: 50)
                + "A546500C5649534120544553542030318701019F38189F66049F02069F03069F1A0295055F2A029A03"
                + "9C019F37045F2D046573656E9F1101019F120C50726566204E616D65203031",
            tree: "6F(84:7 A5(50:12 87:1 9F38:24 5F2D:4 9F11:1 9F12:12))",
            options: TLVOptions(padding: .any)),
        // A single FF is a tag when it can be one, and filler when it cannot.
        Reading(input: "FF0104 9C020102", tree: "FF01(9C:2)", options: TLVOptions(padding: .any)),
        Reading(input: "FF 9F57020840", tree: "9F57:2", options: TLVOptions(padding: .any)),
        Reading(input: "9F57020840 FF", tree: "9F57:2", options: TLVOptions(padding: .any)),
        // kspearrin/BerTlv.NET 1: zeros after the last object.
        Reading(input: "5C035F2050 00000000000000000000", tree: "5C:3"),
    ]

    @Test("reads filler by the padding mode", arguments: padded)
    func readsPadding(_ reading: Reading) { check(reading) }

    private func check(_ reading: Reading) {
        let tree = TLVTree(parsing: hex(reading.input), options: reading.options)
        #expect(sketch(tree) == reading.tree)
        #expect(tree.problems.map { "\($0.code.rawValue)@\($0.offset)" }.joined(separator: " ") == reading.problems)
    }

    @Test("names the path to a problem")
    func namesPath() {
        let tree = TLVTree(parsing: hex("70 07 61 05 9C0100 4F08"))
        #expect(tree.problems.map(\.path) == [[0x70, 0x61, 0x4F]])
    }

    @Test("offers a length byte 91 as 145 when that fits, and calls it a guess")
    func guessesLength() throws {
        let record = hex("5713 4761739001010119D221220112345123456789 9F08 02 0001")
        let value = record + encodeTLV(0xDF01, Array(repeating: 0x5A, count: 145 - record.count - 3))
        let tree = TLVTree(parsing: [0x70, 0x91] + value)
        #expect(value.count == 145)
        #expect(tree.problems.map(\.code) == [.lengthInvalid])
        #expect(tree.problems.first?.offset == 1)
        #expect(tree.nodes.first?.notes == .guessedLength)
        #expect(tree.first(0x57)?.count == 19)
        let withStatus = TLVTree(
            parsing: [0x70, 0x91] + value + [0x90, 0x00], options: TLVOptions(splitsStatusWord: true))
        #expect(withStatus.trailingStatus == 0x9000)
        #expect(withStatus.first(0x9F08) == [0x00, 0x01])
    }

    @Test(
        "takes a status word only behind complete objects",
        arguments: [
            ("9F360200419000", 0x9000), ("9F360200416A82", 0x6A82), ("9F36020041 6110", 0x6110),
            ("9F36029000", nil), ("9000", nil), ("9F360200416E00", nil),
        ] as [(String, UInt16?)])
    func splitsStatus(_ input: String, _ status: UInt16?) {
        let tree = TLVTree(parsing: hex(input), options: TLVOptions(splitsStatusWord: true))
        #expect(tree.trailingStatus == status)
    }

    @Test("keeps 20,000 nested templates as bytes below the limit")
    func limitsDepth() {
        var headers: [[UInt8]] = []
        var total = 0
        for _ in 0..<20_000 {
            let length: [UInt8] =
                total < 0x80
                ? [UInt8(total)] : [0x83, UInt8(total >> 16), UInt8(total >> 8 & 0xFF), UInt8(total & 0xFF)]
            headers.append([0x70] + length)
            total += 1 + length.count
        }
        let nested = headers.reversed().flatMap { $0 }
        let tree = TLVTree(parsing: nested)
        let problems = tree.problems.filter { !$0.isNote }
        #expect(problems.map(\.code) == [.tooDeep])
        #expect(problems.first?.path.count == 32)
        let unclosed = TLVTree(parsing: Array(repeating: 0x70, count: 20_000))
        #expect(!unclosed.isClean)
    }

    @Test("refuses more input than the limit")
    func limitsSize() {
        let tree = TLVTree(parsing: hex("9A03251130"), options: TLVOptions(sizeLimit: 4))
        #expect(tree.nodes.isEmpty)
        #expect(tree.problems.map(\.code) == [.inputTooLarge])
    }

    @Test("finds objects by tag and by path")
    func finds() {
        let tree = TLVTree(parsing: hex("70 08 9C0101 E0 03 9C0102 70 03 9C0103"))
        #expect(tree.first(0x9C) == [1])
        #expect(tree.all(0x9C) == [[1], [2], [3]])
        #expect(tree.firstNode([0x70, 0xE0, 0x9C]).map(tree.value(of:)) == [2])
        #expect(tree.firstNode([0x70, 0x9A]) == nil)
        #expect(tree.firstNode([]) == nil)
    }

    @Test("keeps more than a hundred objects of one level")
    func keepsMany() {
        let tree = TLVTree(parsing: (0..<300).flatMap { encodeTLV(0x9F36, [UInt8($0 >> 8), UInt8($0 & 0xFF)]) })
        #expect(tree.nodes.count == 300)
    }

    @Test("is refused by strict reading when anything but a note is wrong")
    func strict() throws {
        #expect(try TLV.parseStrict(hex("00 9A8103251130")).first(0x9A) == hex("251130"))
        #expect(throws: TLVError.self) { try TLV.parseStrict(hex("70 02 9A 03")) }
        do {
            _ = try TLV.parseStrict(hex("9A04251130"))
            Issue.record("a short value was accepted")
        } catch {
            #expect(error.code == .valueTruncated)
            #expect(error.offset == 5)
        }
    }
}
