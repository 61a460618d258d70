import Testing

@testable import FirmwareCores

struct CardRSATests {
    /// FIPS 180-4 examples, and a million of the letter a.
    @Test(arguments: [
        ("", "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709"), ("abc", "A9993E364706816ABA3E25717850C26C9CD0D89D"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983E441C3BD26EBAAE4AA1F95129E5E54670F1"
        ),
    ])
    func hashAgreesWithPublishedVectors(message: String, digest: String) {
        #expect(text(CardSHA1.digest(Array(message.utf8))) == digest)
    }

    @Test func powersOfSmallNumbersAreRight() throws {
        for number in [3, 5, 97, 65_537, 0xFFFF_FFFF] as [UInt64] {
            let modulus = try #require(CardModulus(DESBlock.bytes(number)))
            for base in [0, 1, 2, number - 1] {
                var expected: UInt64 = 1 % number
                for exponent in 0..<20 as Range<UInt8> {
                    #expect(
                        modulus.power([base % number], [exponent]) == [expected], "\(base)^\(exponent) mod \(number)")
                    expected = number.dividingFullWidth(expected.multipliedFullWidth(by: base % number)).remainder
                }
            }
        }
    }

    @Test func productsOfWideNumbersAreRight() throws {
        // Modulo 2^128 - 1 a product folds: (2^64)(2^64) = 1, (2^127)(2) = 1.
        let modulus = try #require(CardModulus([UInt8](repeating: 0xFF, count: 16)))
        #expect(modulus.product([0, 1], [0, 1]) == [1, 0])
        #expect(modulus.product([0, 1 << 63], [2, 0]) == [1, 0])
        #expect(modulus.product([.max - 1, .max], [.max - 1, .max]) == [1, 0])
        #expect(modulus.difference([1, 0], [2, 0]) == [.max - 1, .max])
        #expect(modulus.reduce([0, 0, 5]) == [5, 0])
        #expect(modulus.reduce([.max, .max]) == [0, 0])
    }

    @Test(arguments: ["", "00", "01", "02", "0100"])
    func evenAndTinyNumbersAreNoModulus(number: String) {
        #expect(CardModulus(hex(number)) == nil)
    }

    private func selected(_ name: String, _ commands: String...) throws -> [String] {
        let card = EMVCardCore(profile: try #require(CardProfile.named(name)))
        _ = try #require(card.powerOn())
        let application = try #require(card.profile.applications.first)
        _ = card.transmit(hex("00A4040007") + application.identifier + [0])
        _ = card.transmit(hex(name.hasPrefix("mastercard-cda") ? "80A80000068304600800 22 00" : "80A8000002830000"))
        return commands.map { text(card.transmit(hex($0))) }
    }

    private static let sign = "0088000004 7FBC4049 00"

    @Test func cardsWithoutAKeyDoNotKnowTheCommand() throws {
        #expect(try selected("visa-credit", Self.sign, "0020008808 0000000000000000") == ["6D00", "6A86"])
        #expect(try selected("visa-sda", Self.sign) == ["6D00"])
        let signed = "80AE90001D" + String(repeating: "00", count: 29) + "00"
        #expect(try selected("visa-credit", signed) == ["6A86"])
        #expect(try selected("visa-dda", signed) == ["6A86"])
    }

    @Test func signaturesComeInTheFormatOfTheCard() throws {
        let answers = try selected(
            "visa-dda", Self.sign, "0088010004 7FBC4049 00", "0088000004 7FBC4049", "0088000000")
        #expect(answers[0].hasPrefix("808180") && answers[0].hasSuffix("9000"))
        #expect(answers[1...] == ["6A86", "6700", "6700"])
        #expect(try selected("visa-dda-1984", Self.sign)[0].hasPrefix("7781FB9F4B81F7"))
        #expect(try selected("mastercard-cda", Self.sign)[0].hasPrefix("7781849F4B8180"))
    }

    @Test func signatureIsTheSameEveryTimeAndHasItsSize() throws {
        let first = try selected("visa-dda", Self.sign)
        #expect(try selected("visa-dda", Self.sign) == first)
        #expect(first[0].count == 2 * (3 + 128 + 2))
    }

    @Test func declineIsNeverSigned() throws {
        let data = String(repeating: "00", count: 43)
        let answers = try selected("mastercard-cda", "80AE10002B" + data + "00", "80AE00002B" + data + "00")
        #expect(answers[0] == "6A86")
        #expect(answers[1].hasPrefix("77299F2701009F36020042"))
        #expect(!answers[1].contains("9F4B"))
    }

    @Test func signedCryptogramHidesItself() throws {
        let data = String(repeating: "00", count: 43)
        let answer = try selected("mastercard-cda", "80AE90002B" + data + "00")[0]
        #expect(answer.hasPrefix("7781A29F2701809F360200429F4B8180"))
        #expect(!answer.contains("9F2608"))
    }

    @Test(arguments: ["modulus", "p", "q", "exponentP", "exponentQ", "coefficient"])
    func brokenKeysAreNamed(field: String) throws {
        let odd = String(repeating: "C1", count: 64)
        var fields = [
            "modulus": odd, "p": odd, "q": odd, "exponentP": odd, "exponentQ": odd, "coefficient": odd,
        ]
        func file() -> [UInt8] {
            let key = fields.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
            return Array(
                """
                {"name":"a","title":"t","brand":"b","protocol":0,"applications":[{"aid":"A0000000031010","aip":"0000",
                 "cryptogram":"visa-10","authority":"visa","signingKey":{\(key)}}]}
                """.utf8)
        }
        #expect(try CardProfile.read([file()]).count == 1)
        fields[field] = "XX"
        #expect(throws: CardProfileError.self) { try CardProfile.read([file()]) }
        fields[field] = "C1"
        #expect(throws: CardProfileError.self) { try CardProfile.read([file()]) }
    }
}
