import BERTLV
import Testing

@Suite("A data object list")
struct DataObjectListTests {
    @Test("keeps order and duplicates")
    func keepsDuplicates() throws {
        // russss/python-emv 22: 9A is asked for twice.
        let list = try DataObjectList(parsing: hex("9F66049F02069F03069F1A0295055F2A029A039C019F37049A03"))
        #expect(list.totalLength == 36)
        #expect(list.entries.filter { $0.tag == 0x9A }.count == 2)
        #expect(list.entries.map(\.tag).first == 0x9F66)
        let data = list.build(value: { $0 == 0x9A ? hex("251130") : nil }, format: { _ in .numeric })
        #expect(data.count == 36)
        #expect(data[25..<28] == hex("251130")[...])
        #expect(data.suffix(3) == hex("251130")[...])
    }

    @Test(
        "cuts and fills values by their format",
        arguments: [
            ("9F0206", .numeric, "00000012345678", "000012345678"),
            ("9F0206", .numeric, "1234", "000000001234"),
            ("5A08", .compressedNumeric, "4761739001", "4761739001FFFFFF"),
            ("5A02", .compressedNumeric, "4761739001", "4761"),
            ("9F1C08", .other, "414243", "4142430000000000"),
            ("9F1C02", .other, "414243", "4142"),
            ("9F3700", .other, "11223344", ""),
            ("7003", .other, "112233", "000000"),
            ("9F3702", .numeric, "1122", "1122"),
        ] as [(String, DOLFormat, String, String)])
    func fills(_ dol: String, _ format: DOLFormat, _ value: String, _ data: String) throws {
        let list = try DataObjectList(parsing: hex(dol))
        #expect(list.build(value: { _ in hex(value) }, format: { _ in format }) == hex(data))
    }

    @Test("fills an unknown object with zeros")
    func unknown() throws {
        let list = try DataObjectList(parsing: hex("DF010295059C01"))
        let data = list.build(value: { $0 == 0x9C ? [0x20] : nil }, format: { _ in .other })
        #expect(data == hex("0000 0000000000 20"))
    }

    @Test(
        "refuses incomplete entries and too much data",
        arguments: [
            ("9F02069F03", .lengthMissing, 5), ("9F", .tagTruncated, 1),
            ("95059F8180808080808080800106", .tagTooLong, 2),
            ("9FFF", .tagTruncated, 2), ("9F0180 9F028F", .dataTooLong, 3),
        ] as [(String, DOLError.Code, Int)])
    func refuses(_ dol: String, _ code: DOLError.Code, _ offset: Int) {
        #expect(throws: DOLError(code: code, offset: offset)) { try DataObjectList(parsing: hex(dol)) }
    }

    @Test("may ask for 252 bytes and is empty when nothing is asked")
    func bounds() throws {
        #expect(try DataObjectList(parsing: hex("9F01FC")).totalLength == 252)
        #expect(try DataObjectList(parsing: []).entries.isEmpty)
    }
}
