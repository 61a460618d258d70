import Foundation
import Testing

/// `readerctl decode`: the ways in, the exit status, and what is hidden.
@Suite(.blackBox) struct DecodeTests {
    private static let cryptogram = "9F2608DA7508566491B63E"

    @Test("hex comes as words, with spaces and colons, on standard input, and in a file as text or as the bytes")
    func waysIn() async throws {
        let bench = try Workbench.mine()
        let bytes: [UInt8] = [0x9F, 0x26, 0x08, 0xDA, 0x75, 0x08, 0x56, 0x64, 0x91, 0xB6, 0x3E]
        try Data(bytes).write(to: URL(fileURLWithPath: bench.path("binary")))
        try Data("9f 26 08\nDA:75:08:56 64 91 B6 3E\n".utf8).write(to: URL(fileURLWithPath: bench.path("text")))
        var programs = [
            readerctl(["decode", "--json", Self.cryptogram]),
            readerctl(["decode", "--json", "9f26 08", "da:75:08:56", "6491B63E"]),
            readerctl(["decode", "--json", bench.path("binary")]), readerctl(["decode", "--json", bench.path("text")]),
        ]
        for input in [bytes, Array(Self.cryptogram.utf8)] {
            for arguments in [["decode", "--json"], ["decode", "--json", "-"]] {
                var program = readerctl(arguments)
                program.input = input
                programs.append(program)
            }
        }
        for program in programs {
            let ended = try await run(program)
            #expect(ended.status == 0, "\(program.title)")
            let object = try #require(ended.list("objects").first)
            #expect(object["tag"] as? String == "9F26")
            #expect(object["value"] as? String == "DA7508566491B63E")
        }
    }

    @Test(
        "what is malformed is exit 8, and what could be read is still printed",
        arguments: [
            (Self.cryptogram + "5F201A", 1), (Self.cryptogram + "9F", 1), (Self.cryptogram + "9F3602", 1),
            (Self.cryptogram + "zz", 1), (Self.cryptogram + "9", 1), ("zz", 0), ("9F2688FFFFFFFFFFFFFFFF", 0),
        ])
    func malformed(text: String, read: Int) async throws {
        let ended = try await run("decode", "--json", text)
        #expect(ended.status == 8)
        #expect(try ended.list("problems").isEmpty == false)
        #expect(
            try ended.list("objects").filter { $0["tag"] as? String == "9F26" && $0["value"] is String }.count == read)
        let forPeople = try await run("decode", text)
        #expect(forPeople.status == 8)
        #expect(forPeople.output.contains("Problems\n"))
    }

    @Test("card data is masked, in text and in JSON, also when its record is cut off")
    func masking() async throws {
        let record = "701D5A0847617390010101195F200454455354" + "57084761739001010119D0"
        for text in [
            "5A084761739001010119", record, "57114761739001010119D30122011234500000", "5A084761739001010119 5F",
        ] {
            for flags in [[], ["--json"]] {
                let ended = try await run(readerctl(["decode"] + flags + [text]))
                #expect(ended.output.contains("0119"), "the last four digits may be shown: \(ended.output)")
            }
        }
    }

    // By index: the runner prints arguments, and no output may hold a card number.
    private static let summaries = [
        "501034313131313131313131313131313131", "4F084111111111111111", "6F1084084761739001010119A5045F2D02",
        "FFFF4761739001010119", "911AAABBCC5A0847617390010101195F2403301231AABBCCDDEE0102",
        "9F101034373631373339303031303130313139", "910A47617390010101190000",
    ]

    /// Every run is searched for card numbers.
    @Test(
        "nor does a card number show in the summary, in a remainder or in an object that took it in",
        arguments: summaries.indices)
    func hidingPlaces(index: Int) async throws {
        for flags in [[], ["--json"]] {
            let ended = try await run(readerctl(["decode"] + flags + [Self.summaries[index]]))
            #expect(ended.output.contains("masked"))
        }
    }

    @Test("--reveal shows it")
    func reveal() async throws {
        var program = readerctl(["decode", "--reveal", "--json", "5A084761739001010119"])
        program.mayShowCards = true
        let object = try #require(try await run(program).list("objects").first)
        #expect(object["value"] as? String == "4761739001010119")
    }

    @Test("a file that is not there is no hex either; one that cannot be read is told")
    func files() async throws {
        let sentence = "is not a hex digit, and there is no file of that name"
        for flags in [[], ["--json"]] {
            let missing = try await run(readerctl(["decode"] + flags + ["nosuchfile"]))
            #expect(missing.status == 8)
            #expect(missing.output.contains(sentence))
        }
        #expect(try await !run("decode", "9F26", "zz").output.contains("no file"))
        expectWrongName(try await run("decode", Workbench.mine().directory))
    }
}
