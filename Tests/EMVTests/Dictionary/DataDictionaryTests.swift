import BERTLV
import EMV
import Testing

@Suite("The data dictionary")
struct DataDictionaryTests {
    @Test("has each tag once")
    func unique() {
        #expect(Set(DataDictionary.elements.map(\.tag)).count == DataDictionary.elements.count)
    }

    /// The tags of EMV Book 3, Annex A, that the kernel, the decoder and the payment response use.
    static let expected: [UInt64] = [
        0x42, 0x4F, 0x50, 0x56, 0x57, 0x5A, 0x5F34, 0x5F20, 0x9F0B, 0x5F24, 0x5F25, 0x5F28, 0x5F55, 0x5F56, 0x5F2A,
        0x5F36, 0x5F2D, 0x5F30, 0x5F50, 0x5F53, 0x5F54, 0x5F57, 0x61, 0x62, 0x6F, 0x70, 0x71, 0x72, 0x73, 0x77, 0x80,
        0x81, 0x9F02, 0x9F03, 0x9F04, 0x82, 0x94, 0x83, 0x84, 0x86, 0x9F18, 0x87, 0x88, 0x89, 0x8A, 0x91, 0x8C, 0x8D,
        0x97, 0x8E, 0x8F, 0x90, 0x92, 0x9F32, 0x93, 0x9F4A, 0x95, 0x9B, 0x98, 0x99, 0x9A, 0x9F21, 0x9C, 0x9D, 0x9F01,
        0x9F15, 0x9F16, 0x9F1C, 0x9F4E, 0x9F05, 0x9F06, 0x9F07, 0x9F08, 0x9F09, 0x9F0A, 0x9F0D, 0x9F0E, 0x9F0F, 0x9F10,
        0x9F26, 0x9F27, 0x9F36, 0x9F11, 0x9F12, 0x9F13, 0x9F17, 0x9F4F, 0x9F14, 0x9F23, 0x9F19, 0x9F24, 0x9F25, 0x9F1A,
        0x9F1B, 0x9F1D, 0x9F1E, 0x9F1F, 0x9F20, 0x9F22, 0x9F2D, 0x9F2E, 0x9F2F, 0x9F33, 0x9F34, 0x9F35, 0x9F40, 0x9F37,
        0x9F38, 0x9F49, 0x9F39, 0x9F3A, 0x9F3B, 0x9F3C, 0x9F3D, 0x9F43, 0x9F41, 0x9F42, 0x9F44, 0x9F45, 0x9F4C, 0x9F46,
        0x9F47, 0x9F48, 0x9F4B, 0x9F4D, 0x9F53, 0x9F5B, 0x9F66, 0x9F6C, 0x9F6E, 0x9F6B, 0x9F6D, 0xA5, 0xBF0C,
    ]

    @Test("knows the kernel's data objects")
    func complete() {
        #expect(Self.expected.filter { DataDictionary.element(for: BERTLV.Tag($0)) == nil }.isEmpty)
        #expect(DataDictionary.element(for: 0xDF01) == nil)
        #expect(DataDictionary.name(of: 0xDF01) == "unknown")
        #expect(DataDictionary.name(of: 0x9F26) == "Application Cryptogram (AC)")
    }

    @Test("calls constructed tags templates, and only those")
    func templates() {
        for element in DataDictionary.elements {
            #expect((element.format == .template) == element.tag.isConstructed, "\(element.tag)")
        }
    }

    @Test(
        "says which lengths are right",
        arguments: [
            (0x95, 5, true), (0x95, 2, false), (0x94, 8, true), (0x94, 6, false), (0x8E, 11, false), (0x8E, 12, true),
            (0x9F5B, 7, true), (0x5A, 10, true), (0x5A, 11, false), (0x5F2D, 3, false), (0x70, 100_000, true),
        ] as [(BERTLV.Tag, Int, Bool)])
    func lengths(_ tag: BERTLV.Tag, _ length: Int, _ isRight: Bool) {
        #expect(DataDictionary.element(for: tag)?.allows(length: length) == isRight)
    }

    @Test(
        "tells how a DOL cuts and fills",
        arguments: [
            (0x9F02, .numeric), (0x5A, .compressedNumeric), (0x9F37, .other), (0x9F1C, .other), (0xDF01, .other),
        ] as [(BERTLV.Tag, DOLFormat)])
    func formats(_ tag: BERTLV.Tag, _ format: DOLFormat) {
        #expect(DataDictionary.dolFormat(of: tag) == format)
    }

    @Test("marks PAN, track, cardholder and PIN data and their vendor copies as sensitive")
    func sensitive() {
        let tags: [BERTLV.Tag] = [
            0x5A, 0x57, 0x56, 0x5F20, 0x5F24, 0x9F1F, 0x9F20, 0x9F6B, 0x99, 0x9F0B, 0xDFAE57, 0xDFAE5A,
        ]
        #expect(tags.allSatisfy(SensitiveTag.contains))
        #expect(!SensitiveTag.contains(0x9F26))
    }
}
