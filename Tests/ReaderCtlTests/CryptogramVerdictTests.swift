import EMV
import JSONText
import Testing

@testable import readerctl

/// EMV fact vectors: CVN 10 as pyemv publishes it, CVN 18 of jPOS's cryptogram data builders, computed with pyemv.
@Suite struct CryptogramVerdictTests {
    static let masterKey = "0123456789ABCDEFFEDCBA9876543210"
    static let visa10 =
        "9F260829CCA15AE665FA2E9F2701809F100706010A03A060109F3602001C9F370452BF458595058000048000" + "9A031911059C0101"
        + "9F02060000000040009F03060000000000009F1A0201245F2A02012482021800"
    static let visa18 =
        "9F2608F149AF6E040F75519F2701809F1007060112030000009F360200019F3704ABCDEF1095050000000000" + "9A031812319C0101"
        + "9F02060000000001009F03060000000000009F1A0208405F2A02084082021800"

    private static func verdict(
        _ data: String, pan: String, psn: String, arpc: String? = nil, more: [String] = []
    ) throws -> CryptogramVerdict {
        let arguments = try ParsedArguments(
            ["cryptogram", "verify", "--imk", masterKey, "--pan", pan, "--psn", psn] + more + [data])
        return try CryptogramVerdict(
            CryptogramInput(arguments, operands: Array(arguments.operands.dropFirst())), code: arpc)
    }

    @Test("CVN 10: the published cryptogram and answer")
    func published10() throws {
        let verdict = try Self.verdict(Self.visa10, pan: "1234567890123456", psn: "00", arpc: "00")
        #expect(
            verdict.document.compactText
                == #"{"scheme":"visa10","cryptogramVersion":"0A","keyIndex":"01","sessionKey":"none","#
                + #""cryptogramType":"ARQC","cryptogram":"29CCA15AE665FA2E","isRight":true,"arpcMethod":1,"#
                + #""arpc":"28993816AFAE4AEB","issuerAuthenticationData":"28993816AFAE4AEB3030"}"#)
        #expect(
            verdict.text == """
                Scheme: Visa CVN 10 (cryptogram version 0A, key index 01)
                Session key: none, the card key itself
                ARQC 29CCA15AE665FA2E is right
                ARPC by method 1: 28993816AFAE4AEB
                Tag 91: 28993816AFAE4AEB3030
                """)
    }

    @Test("CVN 18: the published cryptogram and answer", arguments: ["00", "00820000"])
    func published18(arpc: String) throws {
        let verdict = try Self.verdict(Self.visa18, pan: "4761739001010119", psn: "1", arpc: arpc)
        #expect(
            verdict.document.compactText
                == #"{"scheme":"visa18","cryptogramVersion":"12","keyIndex":"01","sessionKey":"common","#
                + #""cryptogramType":"ARQC","cryptogram":"F149AF6E040F7551","isRight":true,"arpcMethod":2,"#
                + #""arpc":"25CBAC0D","issuerAuthenticationData":"25CBAC0D00820000"}"#)
    }

    /// Common Core Definitions version 6, computed with Tests/Judges/aes.py.
    private static func aes(_ cryptogram: String) -> String {
        visa18.replacing("F149AF6E040F7551", with: cryptogram).replacing(
            "9F100706011203000000",
            with: "9F10200FA606A231C0020000000000000000000F1106" + String(repeating: "0", count: 26))
    }

    @Test(
        "AES by option C, which need not be told",
        arguments: [
            ("40B63725859D1F50", "", []), ("40B63725859D1F50", "", ["--derivation", "c"]),
            ("C3CD920BA66FF6AE", "0123456789ABCDEF", []), ("8B27621389B6E168", masterKey, []),
        ])
    func aes(cryptogram: String, moreKey: String, more: [String]) throws {
        let arguments = try ParsedArguments(
            ["cryptogram", "verify", "--imk", Self.masterKey + moreKey, "--pan", "4761739001010119", "--psn", "1"]
                + more + [Self.aes(cryptogram)])
        let input = try CryptogramInput(arguments, operands: Array(arguments.operands.dropFirst()))
        #expect(try CryptogramVerdict(input, code: "00").isRight)
    }

    @Test("AES: the answer, as text and JSON")
    func aesAnswer() throws {
        let verdict = try Self.verdict(Self.aes("40B63725859D1F50"), pan: "4761739001010119", psn: "1", arpc: "00")
        #expect(
            verdict.document.compactText
                == #"{"scheme":"ccdA6","cryptogramVersion":"A6","keyIndex":"06","sessionKey":"common","#
                + #""cryptogramType":"ARQC","cryptogram":"40B63725859D1F50","isRight":true,"arpcMethod":2,"#
                + #""arpc":"978FF1DB","issuerAuthenticationData":"978FF1DB00820000"}"#)
        #expect(
            verdict.text == """
                Scheme: Common Core Definitions, version 6 (AES) (cryptogram version A6, key index 06)
                Session key: EMV common session key
                ARQC 40B63725859D1F50 is right
                ARPC by method 2: 978FF1DB
                Tag 91: 978FF1DB00820000
                """)
    }

    @Test("a key or a derivation of the other cipher is a usage error that repeats no key")
    func otherCipher() throws {
        let long = masterKeyOf48
        let wrong: [([String], String, String)] = [
            (["--imk", Self.masterKey, "--derivation", "a"], Self.aes("40B63725859D1F50"), "--derivation c"),
            (["--imk", Self.masterKey, "--derivation", "b"], Self.aes("40B63725859D1F50"), "--derivation c"),
            (["--imk", Self.masterKey, "--derivation", "c"], Self.visa18, "--derivation a or b"),
            (["--imk", long], Self.visa18, "32 hex digits"),
        ]
        for (options, data, hint) in wrong {
            let arguments = try ParsedArguments(
                ["cryptogram", "verify", "--pan", "4761739001010119", "--psn", "1"] + options + [data])
            let input = try CryptogramInput(arguments, operands: Array(arguments.operands.dropFirst()))
            let failure = #expect(throws: CommandFailure.self) { try CryptogramVerdict(input, code: nil) }
            #expect(failure?.status == .usage)
            #expect(failure?.sentence.contains(hint) == true)
            #expect(failure?.sentence.contains(Self.masterKey) == false)
        }
    }

    private let masterKeyOf48 = masterKey + "0123456789ABCDEF"

    @Test("every bit of what it covers matters, and a wrong one gets no answer")
    func wrong() throws {
        let wrong = [
            (Self.visa10, "1234567890123456", "01"), (Self.visa10, "1234567890123457", "00"),
            (Self.visa10.replacing("0000000040", with: "0000000041"), "1234567890123456", "00"),
            (Self.visa10.replacing("29CCA15A", with: "29CCA15B"), "1234567890123456", "00"),
        ]
        for (data, pan, psn) in wrong {
            let verdict = try Self.verdict(data, pan: pan, psn: psn, arpc: "00")
            #expect(!verdict.isRight)
            #expect(verdict.answer == nil)
            #expect(verdict.text.hasSuffix(" is wrong"))
        }
    }

    @Test("PAN and sequence number come from the data when they are not told")
    func fromTheData() throws {
        let arguments = try ParsedArguments(
            ["cryptogram", "verify", "--imk=\(Self.masterKey)", "5A084761739001010119", "5F340101", Self.visa18])
        let input = try CryptogramInput(arguments, operands: Array(arguments.operands.dropFirst()))
        #expect(try CryptogramVerdict(input, code: nil).isRight)
    }

    @Test("data that cannot be judged are malformed, exit 8")
    func malformed() {
        let data = [
            "", "zz", "9F2", "9F2608", "9F260829CCA15AE665FA2E", Self.visa10.replacing("9F3602001C", with: ""),
            Self.visa10.replacing("82021800", with: "820118"), Self.visa10.replacing("06010A03", with: "06017703"),
            "8407A0000000041010" + Self.visa10,
        ]
        for one in data {
            let failure = #expect(throws: CommandFailure.self, "\(one)") {
                try Self.verdict(one, pan: "1234567890123456", psn: "00")
            }
            #expect(failure?.status == .malformedInput, "\(one)")
        }
    }

    @Test("mistakes of the command line are usage errors that repeat neither key nor PAN")
    func usage() throws {
        let lines = [
            ["--pan", "1234567890123456"], ["--imk", Self.masterKey],
            ["--imk", Self.masterKey + "00", "--pan", "1234567890123456"],
            ["--imk", "x" + Self.masterKey.dropFirst(), "--pan", "1234567890123456"],
            ["--imk", Self.masterKey, "--imk-file", "/no/file", "--pan", "1234567890123456"],
            ["--imk-file", "/no/such/file", "--pan", "1234567890123456"],
            ["--imk", Self.masterKey, "--pan", "1234567"], ["--imk", Self.masterKey, "--pan", "12345678901234567890"],
            ["--imk", Self.masterKey, "--pan", "12345678901234x6"],
            ["--imk", Self.masterKey, "--pan", "1234567890123456", "--psn", "100"],
            ["--imk", Self.masterKey, "--pan", "1234567890123456", "--psn", "+1"],
        ]
        for line in lines {
            let arguments = try ParsedArguments(["cryptogram", "verify"] + line + [Self.visa10])
            let failure = #expect(throws: CommandFailure.self) {
                _ = try CryptogramInput(arguments, operands: Array(arguments.operands.dropFirst()))
            }
            #expect(failure?.status == .usage)
            let sentence = failure?.sentence ?? ""
            #expect(!sentence.contains(Self.masterKey.dropFirst(4)) && !sentence.contains("1234567"), "\(sentence)")
        }
        for code in ["0", "000", "0012ZZ", "00820000"] {
            let failure = #expect(throws: CommandFailure.self) {
                try Self.verdict(Self.visa10, pan: "1234567890123456", psn: "00", arpc: code)
            }
            #expect(failure?.status == .usage)
        }
    }
}
