import EMV
import SeededInput
import Testing

@Suite struct IssuerApplicationDataTests {
    struct Shape: Sendable {
        let value: String
        let layout: IssuerApplicationData.Layout
        let version: UInt8
        let index: UInt8
        let results: String
        let scheme: CryptogramScheme?
    }

    static let zeros = String(repeating: "00", count: 32)
    // The first three are the examples of the EMV fact sheet.
    static let shapes = [
        Shape(
            value: "06010A03A40000", layout: .visaShort, version: 0x0A, index: 1, results: "03A40000", scheme: .visa10),
        Shape(
            value: "1F4301002000000000" + zeros.prefix(46), layout: .visaLong, version: 0x43, index: 1,
            results: "0020000000", scheme: nil),
        Shape(
            value: "0FA506A231C0020000000000000000000F1106" + zeros.prefix(26), layout: .commonCore,
            version: 0xA5, index: 6, results: "A231C00200", scheme: .ccdA5),
        Shape(
            value: "0FA606A231C0020000000000000000000F1106" + zeros.prefix(26), layout: .commonCore,
            version: 0xA6, index: 6, results: "A231C00200", scheme: .ccdA6),
        Shape(
            value: "0110A0400324C00000000000000000000000", layout: .mChip, version: 0x10, index: 1,
            results: "A0400324C000", scheme: .mChip16),
        Shape(
            value: "0113A0400324C00000000000000000000000", layout: .mChip, version: 0x13, index: 1,
            results: "A0400324C000", scheme: nil),
        Shape(
            value: "06011103A400000F00", layout: .visaShort, version: 0x11, index: 1, results: "03A40000", scheme: nil),
        Shape(value: "07010103A0000001", layout: .unionPay, version: 1, index: 1, results: "03A00000", scheme: nil),
    ]

    @Test("a known shape gives version, key index and card results", arguments: shapes)
    func known(shape: Shape) throws {
        let data = try #require(IssuerApplicationData(octets(shape.value)))
        #expect(data.layout == shape.layout)
        #expect(data.cryptogramVersion == shape.version)
        #expect(data.derivationKeyIndex == shape.index)
        #expect(data.verificationResults == octets(shape.results))
        #expect(data.scheme == shape.scheme)
        #expect(data.value == octets(shape.value))
    }

    static let unknown = [
        "", "06", "06010A03A400", "06010A02A40000", "1F430100200000", "1001828100310040180000000000000000",
        "0110A0400324C0", zeros, zeros + "00",
    ]

    @Test("an unknown shape is not guessed at", arguments: unknown)
    func notKnown(value: String) {
        #expect(IssuerApplicationData(octets(value)) == nil)
    }

    @Test("the application's provider decides before the shape")
    func provider() {
        let value = octets("06010103A40000")
        #expect(IssuerApplicationData(value)?.layout == .visaShort)
        let americanExpress = IssuerApplicationData(value, applicationIdentifier: octets("A00000002501"))
        #expect(americanExpress?.layout == .americanExpress)
        #expect(americanExpress?.scheme == nil)
        #expect(IssuerApplicationData(value, applicationIdentifier: octets("A0000000041010")) == nil)
        #expect(IssuerApplicationData(value, applicationIdentifier: octets("A0000000651010")) == nil)
    }

    @Test("no bytes of any length trap")
    func random() {
        var generator = SeededNumbers(seed: 0x9F10)
        for _ in 0..<2_000 {
            let count = Int(generator.next() % 40)
            var value = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            if let first = value.indices.first, generator.next() % 2 == 0 {
                value[first] = [0x06, 0x07, 0x0F, 0x1F][Int(generator.next() % 4)]
            }
            let data = IssuerApplicationData(value)
            #expect(data == nil || data?.value == value)
        }
    }
}
