import Testing

/// The search that every other test relies on finds what it should.
@Suite struct CardNumberSearchTests {
    // By index: the runner prints arguments, and no output may hold a card number.
    static let forms = [
        "PAN 4761739001010119.", "4761 7390 0101 0119", "4761-7390-0101-0119", "5A0847617390010101195F34",
        "47 61 73 90 01 01 01 19", "47:61:73:90:01:01:01:19", "34373631373339303031303130313139",
        "4761739001\n010119", "57134761739001010119D3012", "5A 0A 67 99 99 89 00 00 00 60 01 8F",
    ]

    @Test("a card number is found in every form", arguments: forms.indices)
    func found(index: Int) {
        #expect(CardNumberSearch.found(in: Array(Self.forms[index].utf8)).count == 1)
    }

    @Test("a packed card number is found in binary data, the one with 19 digits too")
    func packed() {
        let bytes: [UInt8] = [0x5A, 0x08, 0x47, 0x61, 0x73, 0x90, 0x01, 0x01, 0x01, 0x19, 0x00]
        #expect(CardNumberSearch.found(in: bytes) == ["************0119"])
        let long: [UInt8] = [0x67, 0x99, 0x99, 0x89, 0x00, 0x00, 0x00, 0x60, 0x01, 0x8F]
        #expect(CardNumberSearch.found(in: long) == ["************0018"])
    }

    @Test(
        "what is no card number is not found",
        arguments: ["", "************0119", "476173900101", "A0000000031010", "4761739001010118"])
    func notFound(text: String) {
        #expect(CardNumberSearch.found(in: Array(text.utf8)).isEmpty)
    }
}
