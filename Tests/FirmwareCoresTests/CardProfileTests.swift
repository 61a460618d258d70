import FirmwareCores
import Testing

struct CardProfileTests {
    @Test func everyCardFileIsSound() {
        #expect(CardProfile.builtInProblem == nil)
        #expect(CardProfile.all.count == 43)
        #expect(Set(CardProfile.all.map(\.name)).count == 43)
    }

    @Test(arguments: CardProfile.all)
    func profileDescribesItself(profile: CardProfile) {
        #expect(!profile.title.isEmpty)
        #expect(["VISA", "MASTERCARD", "MAESTRO"].contains(profile.brand))
        #expect(["credit", "debit"].contains(profile.accountType))
    }

    @Test func profileDoesNotPrintItsNumbers() throws {
        let profile = try #require(CardProfile.named("visa-credit"))
        #expect("\(profile)" == "card profile visa-credit")
        #expect(String(reflecting: profile.applications) == "[application A0000000031010]")
        var dumped = ""
        dump(profile, to: &dumped)
        #expect(dumped == "- card profile visa-credit\n")
    }

    @Test(arguments: [
        #"{"#, #"{"name":"a"}"#, #"{"name":"a","like":"b"}"#, #"{"name":"a","like":"a"}"#,
        #"{"name":"a","title":"t","brand":"b","protocol":2}"#,
        #"{"name":"a","title":"t","brand":"b","protocol":0,"behaviour":{"pulledAt":"never"}}"#,
        #"{"name":"a","title":"t","brand":"b","protocol":0,"applications":[{"aid":"A0"}]}"#,
    ])
    func brokenFilesAreNamed(file: String) {
        #expect(throws: CardProfileError.self) { try CardProfile.read([Array(file.utf8)]) }
    }

    private func answer(_ name: String, _ commands: String...) throws -> [String] {
        let card = EMVCardCore(profile: try #require(CardProfile.named(name)))
        _ = try #require(card.powerOn())
        return commands.map { text(card.transmit(hex($0))) }
    }

    private static let directory = "00A404000E315041592E5359532E444446303100"
    private static let visa = "00A4040007A000000003101000"
    private static let options = "80A8000002830000"

    @Test func cardWithoutDirectoryHasNoDirectory() throws {
        #expect(try answer("visa-no-pse", Self.directory) == ["6A82"])
    }

    @Test func blockedCardsSaySo() throws {
        #expect(try answer("blocked-card", Self.directory, Self.visa) == ["6A81", "6A81"])
        let answers = try answer("blocked-application", Self.visa, Self.options)
        #expect(answers[0].hasPrefix("6F22") && answers[0].hasSuffix("6283"))
        #expect(answers[1] == "6985")
    }

    @Test func muteCardHasNoAnswerToReset() throws {
        let card = EMVCardCore(profile: try #require(CardProfile.named("mute")))
        #expect(card.powerOn() == nil)
        #expect(card.transmit(hex(Self.visa)).isEmpty)
    }

    @Test func partialNameFindsOneApplicationAfterTheOther() throws {
        let answers = try answer(
            "two-applications", "00A4040005A00000000300", "00A4040205A00000000300", "00A4040205A00000000300",
            "00A4040207A000000003201000")
        #expect(answers[0].contains("8407A0000000031010"))
        #expect(answers[1].contains("8407A0000000032010"))
        #expect(answers[2...] == ["6A82", "6A82"])
    }

    @Test func directoryListsBothApplicationsWithPriorities() throws {
        let answers = try answer("two-applications", Self.directory, "00B2010C00", "00B2020C00", "00B2030C00")
        #expect(answers[1].contains("A0000000031010") && answers[1].contains("870102"))
        #expect(answers[2].contains("A0000000032010") && answers[2].contains("870101"))
        #expect(answers[3] == "6A83")
    }

    @Test func cardWithoutNameAndNumberStillHasTrack2() throws {
        let answers = try answer("no-name", Self.visa, Self.options, "00B2010C00", "00B2011400")
        #expect(answers[2] == joined("7013 57114761739001010119D30122011234500000 9000"))
        #expect(!answers[3].contains("5A08") && answers[3].contains("5F2403301231"))
    }

    @Test func longNumberIsFilledWithF() throws {
        let answers = try answer("long-pan", "00A4040007A000000004306000", Self.options, "00B2011400")
        #expect(answers[2].contains("5A0A6799998900000060018F"))
    }

    @Test func formatsListsAndDatesVary() throws {
        #expect(try answer("gpo-format-2", Self.visa, Self.options)[1] == "770E82021C00940808010100100102009000")
        #expect(try answer("bad-afl", Self.visa, Self.options)[1] == "800A1C000801010010020100" + "9000")
        #expect(try !answer("missing-cdol1", Self.visa, "00B2021400")[1].contains("8C15"))
        #expect(try answer("visa-credit", Self.visa, "00B2021400")[1].contains("8C15"))
        #expect(try answer("visa-expired", Self.visa, "00B2011400")[1].contains("5F2403200131"))
    }

    @Test func oddCardsAreOddAsNamed() throws {
        #expect(try answer("blocked-directory", Self.directory)[0].hasSuffix("6573656E6283"))
        #expect(try answer("gpo-refused", Self.visa, Self.options)[1] == "6985")
        #expect(try answer("asks-to-confirm", Self.visa)[0].contains("870181"))
        #expect(try answer("cyrillic-name", Self.visa)[0].contains("9F120BB2B8B7B020BAC0B5B4B8C29F110105"))
        #expect(try answer("fillers", Self.visa, "00B2010C00")[1].hasPrefix("702F00005711"))
        #expect(try answer("twice-the-same", Self.visa, "00B2010C00")[1].hasSuffix("5F24033012319000"))
    }

    @Test func nonsenseIsTheSameEveryTime() throws {
        let first = try answer("nonsense", Self.visa, Self.options)
        #expect(try answer("nonsense", Self.visa, Self.options) == first)
        #expect(first[1] != "800A1C0008010100100102009000")
    }

    @Test(arguments: [("pulled-first", "80"), ("pulled", "")])
    func pulledCardStopsAnswering(name: String, type: String) throws {
        let card = EMVCardCore(profile: try #require(CardProfile.named(name)))
        _ = card.powerOn()
        _ = card.transmit(hex(Self.visa))
        _ = card.transmit(hex(Self.options))
        if type.isEmpty {
            for _ in 3...5 { #expect(!card.transmit(hex("00B2011400")).isEmpty) }
        }
        #expect(!card.wasPulled)
        #expect(card.transmit(hex("80AE80001D" + String(repeating: "00", count: 30))).isEmpty)
        #expect(card.wasPulled)
        #expect(card.powerOn() == nil)
    }
}
