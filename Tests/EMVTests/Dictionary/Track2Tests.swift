import Crypto
import EMV
import Testing

@Suite("Track 2")
struct Track2Tests {
    private func rest(_ track: Track2) -> [UInt8] { track.discretionaryData.withBytes(Array.init) }

    @Test("gives PAN, expiry, service code and the rest")
    func reads() throws {
        let track = try #require(Track2(equivalent: bytes("4761739001010119D22122011234512345678F")))
        #expect(track.pan.lastFour == "0119")
        #expect(track.expiry == Track2(text: "4761739001010119=2212201")?.expiry)
        #expect(track.expiry?.year == 2022)
        #expect(track.expiry?.month == 12)
        #expect(track.serviceCode == "201")
        #expect(rest(track) == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6, 7, 8])
    }

    static let stripes = [
        ";4761739001010119=22122011234512345678?5", "4761739001010119D22122011234512345678",
        "4761739001010119d22122011234512345678?",
    ]

    @Test("reads the stripe's characters with both separators and drops sentinels and LRC", arguments: stripes.indices)
    func readsText(_ index: Int) {
        let text = Self.stripes[index]
        #expect(Track2(text: text) == Track2(equivalent: bytes("4761739001010119D22122011234512345678F")))
    }

    @Test("may have separators in place of expiry and service code")
    func missingParts() throws {
        let track = try #require(Track2(text: "4761739001010119===12"))
        #expect(track.expiry == nil)
        #expect(track.serviceCode == nil)
        #expect(rest(track) == [1, 2])
    }

    static let malformed = [
        "", "4761739001010119", "=2212201", "4761739001010119=22", "4761739001010119=221220",
        "47617390X1010119=2212201",
        "4761739001010119=2212201" + String(repeating: "1", count: 20), "1234567=2212201",
    ]

    @Test("is refused when it is malformed", arguments: malformed.indices)
    func refuses(_ index: Int) {
        let text = Self.malformed[index]
        #expect(Track2(text: text) == nil)
    }

    @Test("never prints more than the last four digits")
    func masks() throws {
        let track = try #require(Track2(text: "4761739001010119=22122011234512345678"))
        var dumped = ""
        dump(track, to: &dumped)
        for text in ["\(track)", String(reflecting: track), dumped] {
            #expect(!text.contains("47617390"))
            #expect(!text.contains("12345"))
        }
        #expect("\(track)" == "************0119")
    }
}
