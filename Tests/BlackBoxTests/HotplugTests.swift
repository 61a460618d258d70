import Foundation
import Glibc
import Testing

/// `readerctl probe --watch` while readers come and go.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct HotplugTests {
    @Test("a reader that is plugged in, and one that leaves, is a new line at once")
    func comesAndGoes() async throws {
        let reader = try await MockReader()
        let probe = try reader.start("probe", "--watch", "--json")
        #expect(await probe.line() == #"{"readers":[]}"#)
        try await reader.steer("device ccid:card=none,port=1-3")
        let one = await probe.line(containing: #""port":"usb:1-3""#)
        #expect(one?.contains(#""state":"ready","card":"absent""#) == true)
        try await reader.steer("device ccid:card=visa-credit,port=1-5,serial=C0002")
        #expect(await probe.line(containing: #""port":"usb:1-5""#)?.contains("C0001") == true)
        try await reader.steer("1-3 unplug")
        #expect(await probe.line()?.contains("C0001") == false)
        probe.send(SIGINT)
        #expect(await probe.end().status == 0)
        await reader.close()
    }

    @Test("fifty times plugged in and out, no file descriptor and no thread stays behind")
    func leavesNothingBehind() async throws {
        // It is counted while nothing is plugged in: a second look at a reader may still be under way otherwise.
        let reader = try await MockReader("ccid:plugged=no")
        var watching = reader.seen(by: readerctl(["probe", "--watch", "--json"]))
        watching.limit = 200
        let probe = try Workbench.mine().start(watching)
        _ = try #require(await probe.line(containing: #"{"readers":[]}"#))
        // The first rounds make what is kept: the libusb context, its event thread, the pool's threads.
        try await cycle(5, reader, probe)
        let (descriptors, threads) = (count("fd", of: probe), count("task", of: probe))
        #expect(descriptors > 3)
        try await cycle(50, reader, probe)
        #expect(count("fd", of: probe) <= descriptors)
        // The concurrency pool may add as many threads as there are processors, once.
        #expect(count("task", of: probe) <= threads + ProcessInfo.processInfo.activeProcessorCount)
        probe.send(SIGINT)
        #expect(await probe.end().status == 0)
        await reader.close()
    }

    private func cycle(_ rounds: Int, _ reader: MockReader, _ probe: RunningProgram) async throws {
        for round in 1...rounds {
            try await reader.steer("1-1 plug")
            _ = try #require(await probe.line(containing: #""state":"ready""#), "round \(round)")
            try await reader.steer("1-1 unplug")
            _ = try #require(await probe.line(containing: #"{"readers":[]}"#), "round \(round)")
        }
    }

    private func count(_ kind: String, of program: RunningProgram) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.processId)/\(kind)").count) ?? 0
    }
}
