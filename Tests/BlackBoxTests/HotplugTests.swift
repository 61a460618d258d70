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
        let left = await probe.line(containing: #""state":"reconnecting""#)
        #expect(left?.contains(#""port":"usb:1-3""#) == false)
        #expect(left?.contains(#""port":"usb:1-5""#) == true)
        try await reader.steer("1-3 plug")
        let back = await probe.line(containing: #""port":"usb:1-3""#)
        #expect(back?.contains("reconnecting") == false)
        probe.send(SIGINT)
        #expect(await probe.end().status == 0)
        await reader.close()
    }

    @Test("a reader that was unplugged is told with its state, the reason and what to do")
    func reason() async throws {
        let reader = try await MockReader("ccid:card=none")
        let probe = try reader.start("probe", "--watch", "--json")
        let first = try #require(await probe.line())
        let id = try #require(first.split(separator: "\"").dropFirst(5).first.map(String.init))
        #expect(
            first.hasSuffix(#""states":[{"id":"\#(id)","state":"ready","reason":null,"message":null,"fix":null}]}"#),
            "\(first)")
        try await reader.steer("1-1 unplug")
        let expected =
            #"{"readers":[],"states":[{"id":"\#(id)","state":"reconnecting","reason":"unplugged","#
            + #""message":"The reader was unplugged.","#
            + #""fix":"Check the cable and the power; plug the reader in again."}]}"#
        #expect(await probe.line(containing: "reconnecting") == expected)
        try await reader.steer("1-1 plug")
        let back = await probe.line(containing: #""state":"ready""#)
        #expect(back?.contains(#""states":[{"id":"\#(id)","state":"ready""#) == true)
        probe.send(SIGINT)
        #expect(await probe.end().status == 0)
        await reader.close()
    }

    /// Ids are made of the configured path, or of what udev says of the USB device behind the port.
    @Test(
        "a reader on a serial port that comes and goes is told in the same way, under one id",
        arguments: [("qpos", "tty:/dev/ttyUSB0"), ("mpi", "tty:1209:0001:R0001")])
    func serialPort(family: String, id: String) async throws {
        let line = try PtyReader(family)
        let bus = try await MockReader("reference:plugged=no,port=1-2,tty=ttyUSB0@\(line.node)@ftdi_sio")
        let file = try Workbench.mine().path("readers.json")
        let isConfigured = family == "qpos"
        let port = #"{"path":"/dev/ttyUSB0","family":"qpos","baud":115200}"#
        let text = #"{"readers":{"ttys":[\#(isConfigured ? port : "")]}}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let arguments = ["probe", "--watch", "--json", "--config", file] + (isConfigured ? [] : ["--intrusive"])
        let probe = try Workbench.mine().start(bus.seen(by: readerctl(arguments)))
        #expect(await probe.line() == #"{"readers":[]}"#)
        let state = #""states":[{"id":"\#(id)","state":"#
        for round in 1...3 {
            try await bus.steer("1-2 plug")
            let ready = await probe.line(containing: state + #""ready""#)
            #expect(ready?.contains(#""driver":"\#(family)""#) == true, "\(round): \(String(describing: ready))")
            #expect(ready?.contains(#""transport":"tty""#) == true)
            try await bus.steer("1-2 unplug")
            let left = await probe.line(containing: state + #""reconnecting","reason":"unplugged""#)
            #expect(left?.hasPrefix(#"{"readers":[],"#) == true, "\(round): \(String(describing: left))")
        }
        probe.send(SIGINT)
        #expect(await probe.end().status == 0)
        await bus.close()
        await line.close()
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
            _ = try #require(await probe.line(containing: #""state":"reconnecting""#), "round \(round)")
        }
    }

    private func count(_ kind: String, of program: RunningProgram) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.processId)/\(kind)").count) ?? 0
    }
}
