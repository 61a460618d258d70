import Foundation
import Testing

/// `readerctl cryptogram verify`: the ways in and the exit status. The data are the published CVN 10 example of pyemv.
@Suite(.blackBox) struct CryptogramTests {
    private static let key = "0123456789ABCDEFFEDCBA9876543210"
    private static let number = "1234567890123456"
    private static let data =
        "9F260829CCA15AE665FA2E9F2701809F100706010A03A060109F3602001C9F370452BF4585950580000480009A031911059C0101"
        + "9F02060000000040009F03060000000000009F1A0201245F2A02012482021800"

    @Test("the key comes from a file, the data as words, in a file as text or bytes, and on standard input")
    func waysIn() async throws {
        let bench = try Workbench.mine()
        try Data((Self.key + "\n").utf8).write(to: URL(fileURLWithPath: bench.path("key")))
        try Data(Self.data.utf8).write(to: URL(fileURLWithPath: bench.path("text")))
        let octets = stride(from: 0, to: Self.data.count, by: 2).compactMap { start in
            UInt8(Self.data.dropFirst(start).prefix(2), radix: 16)
        }
        try Data(octets).write(to: URL(fileURLWithPath: bench.path("bytes")))
        let words = [
            "cryptogram", "verify", "--json", "--imk-file", bench.path("key"), "--pan", Self.number, "--arpc", "00",
        ]
        var programs = [[Self.data], [bench.path("text")], [bench.path("bytes")]].map { readerctl(words + $0) }
        for more in [[], ["-"]] {
            var program = readerctl(words + more)
            program.input = octets
            programs.append(program)
        }
        for program in programs {
            let ended = try await run(program)
            #expect(ended.status == 0)
            #expect(try ended.object()["isRight"] as? Bool == true)
            #expect(try ended.text("issuerAuthenticationData") == "28993816AFAE4AEB3030")
            #expect(ended.errors == "")
        }
    }

    @Test("wrong is exit 5, malformed 8, a mistake of the command line 2; neither key nor PAN is shown")
    func statuses() async throws {
        let words = ["cryptogram", "verify", "--imk", Self.key, "--pan", Self.number]
        let wrong = try await run(readerctl(words + ["--psn", "01", Self.data]))
        #expect(wrong.status == 5)
        #expect(wrong.output.hasSuffix("ARQC 29CCA15AE665FA2E is wrong\n"))
        let malformed = try await run(readerctl(words + [String(Self.data.dropLast(2))]))
        #expect(malformed.status == 8)
        #expect(malformed.output == "")
        let mistakes = [
            ["cryptogram", "sign", "--imk", Self.key, "--pan", Self.number, Self.data],
            ["cryptogram", "verify", "--pan", Self.number, Self.data],
            ["cryptogram", "verify", "--imk", Self.key, Self.data], words + ["--arpc", "0012Z", Self.data],
        ]
        for line in mistakes { expectUsageError(try await run(readerctl(line))) }
        expectUsageError(try await run(readerctl(["cryptogram"])))
    }
}
