import BERTLV
import EMV
import Testing

/// EMV Book 3, 10.2: what a record may be, and what must have been found after the last one.
@Suite struct RecordReadingTests {
    private static func reason(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String? {
        guard case .cardError(let fault) = try replay(text, sourceLocation: sourceLocation).outcome,
            fault.stage == .reading
        else { return nil }
        return fault.reason
    }

    /// The dialogue up to the first record, then these answers.
    private static func reading(locator: String = "08010100", _ records: (String, String)...) -> String {
        KernelCard.selection + "80A8000002830000 < \(tlv("80", "1C00", locator))9000\n"
            + records.map { "00B2\($0)00 < \($1)\n" }.joined()
    }

    @Test(
        "in the files 1 to 10 a record is exactly one template 70",
        arguments: [
            "9000", "7000700 09000", "5A0847617390010101 90 00", "6F009000", "70005A009000", "7005009000", "77009000",
        ])
    func notOneTemplate(answer: String) throws {
        #expect(try Self.reason(Self.reading(("010C", answer))) == "record 1/1 is not one template 70")
    }

    @Test(
        "any status but 9000 is a fault of the card",
        arguments: ["6A83", "6A82", "6985", "6283", "6300", "6F00"])
    func status(status: String) throws {
        let answer = KernelCard().record + status
        #expect(try Self.reason(Self.reading(("010C", answer))) == "READ RECORD answered \(status)")
    }

    @Test("status 0000 is no status: an earlier pass of the recorded Visa card gave it to its first record")
    func statusZero() throws {
        #expect(try Self.reason(Self.reading(("010C", "00000000"))) == "status word 0000")
    }

    @Test("files 11 to 30 belong to the payment system: what is no template 70 there is left alone")
    func proprietaryFile() throws {
        let text = Self.reading(
            locator: "580101000801 0100", ("015C", "DF01FF9000"), ("010C", KernelCard().record + "6A83"))
        #expect(try Self.reason(text) == "READ RECORD answered 6A83")
    }

    @Test("an object that comes twice is a fault of the card, even with the same value")
    func duplicate() throws {
        let expiry = tlv("70", tlv("5F24", "491231"))
        let text = Self.reading(locator: "08010200", ("010C", expiry + "9000"), ("020C", expiry + "9000"))
        #expect(try Self.reason(text) == "object 5F24 is there twice")
    }

    @Test("a record may not repeat what the answer to GET PROCESSING OPTIONS gave", arguments: ["82", "94"])
    func duplicateOfInitiation(tag: String) throws {
        var card = KernelCard()
        card.objects[tag] = "1C00"
        #expect(try Self.reason(card.reading) == "object \(tag) is there twice")
    }

    @Test("without these objects there is no transaction", arguments: ["5A", "5F24", "8C", "8D"])
    func mandatory(tag: String) throws {
        var card = KernelCard()
        card.objects[tag] = nil
        #expect(try Self.reason(card.reading) == "mandatory object \(tag) is missing")
    }

    @Test("an empty object counts as absent", arguments: ["5A", "5F24", "8C", "8D"])
    func empty(tag: String) throws {
        var card = KernelCard()
        card.objects[tag] = ""
        #expect(try Self.reason(card.reading) == "mandatory object \(tag) is missing")
    }

    @Test("an empty object beside a full one is no duplicate")
    func emptyTwin() throws {
        let card = KernelCard()
        let text = Self.reading(
            locator: "08010200", ("010C", tlv("70", tlv("5A", "")) + "9000"), ("020C", card.record + "6A83"))
        #expect(try Self.reason(text) == "READ RECORD answered 6A83")
    }

    @Test(
        "lists, number and date must be well formed",
        arguments: [
            ("8C", "9F", "object 8C is malformed"), ("8D", "9F37", "object 8D is malformed"),
            ("8C", "9F02FD", "object 8C is malformed"), ("8D", "9F02809F037D", "object 8D is malformed"),
            ("5A", "476173900101011A", "the account number is malformed"),
            ("5A", "4761739F01010119", "the account number is malformed"),
            ("5A", "4761739F", "the account number is malformed"),
            ("5F24", "491331", "the expiration date is malformed"),
            ("5F24", "490230", "the expiration date is malformed"),
            ("5F24", "4912", "the expiration date is malformed"),
            ("5F24", "49123A", "the expiration date is malformed"),
            ("5F24", "000000", "the expiration date is malformed"),
            ("5F24", "270229", "the expiration date is malformed"),
        ])
    func malformed(tag: String, value: String, reason: String) throws {
        var card = KernelCard()
        card.objects[tag] = value
        #expect(try Self.reason(card.reading) == reason)
    }

    @Test("what the card says of the terminal's own data does not count")
    func terminalData() throws {
        var card = KernelCard()
        card.objects["9F02"] = "000000000001"
        card.objects["95"] = "0000000000"
        card.objects["5F2A"] = "0840"
        let text =
            card.reading
            + "\(KernelCard.first(tvr: "8000008000", cvm: "1F0002")) < \(KernelCard.cryptogram("00"))9000"
        let replay = try replay(text)
        #expect(replay.outcome == .declinedOffline(.cardOrTerminalDecision))
        #expect(replay.kernel.onlineValue(of: 0x9F02) == bytes("000000011500"))
    }

    @Test("objects that nobody knows are kept and change nothing")
    func unknownObjects() throws {
        var card = KernelCard()
        card.objects["DF7F"] = "00"
        card.objects["BF0C"] = "9F4D020B0A"
        #expect(try replay(card.approved).outcome == .approved)
    }
}
