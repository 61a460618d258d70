import Foundation
import Testing

/// `readerctl decode` of reader frames: format, exit status, and what is hidden.
@Suite(.blackBox) struct DecodeFrameTests {
    @Test(
        "frames are told by themselves and by --format",
        arguments: [
            ("neo2", "5669564F74656368320018010000B3CD", "ping"),
            ("qpos", "4D 00 06 21 10 00 0A 00 00 70", "reader id"),
            ("mpi", "01 00 04 D0 00 00 00 D5", "reset"),
        ])
    func formats(format: String, text: String, name: String) async throws {
        for flags in [[], ["--format", format]] {
            let ended = try await run(readerctl(["decode", "--json"] + flags + [text]))
            #expect(ended.status == 0)
            let frame = try #require(ended.list("frames").first)
            #expect(frame["protocol"] as? String == format)
            #expect(frame["direction"] as? String == "command")
            #expect(frame["name"] as? String == name)
            #expect(frame["check"] as? String == "ok")
            #expect(frame["offset"] as? Int == 0)
        }
    }

    @Test(
        "noise and wrong check bytes are exit 8, and what could be read is printed",
        arguments: [
            ("neo2", "00FF5669 5669564F74656368320018000000FA83", "ok"),
            ("qpos", "4D 00 06 28 00 00 05 00 00 67", "bad"), ("mpi", "01 00 06 10 11 12 13 90 00 00", "bad"),
        ])
    func damaged(format: String, text: String, check: String) async throws {
        let ended = try await run("decode", "--json", "--format", format, text)
        #expect(ended.status == 8)
        #expect(try ended.list("problems").isEmpty == false)
        #expect(try ended.list("frames").first?["check"] as? String == check)
    }
}
