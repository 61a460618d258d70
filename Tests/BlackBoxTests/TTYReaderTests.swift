import Foundation
import Testing

/// Readers on serial ports: named by the configuration, known by their USB ids, or asked with `--intrusive`.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct TTYReaderTests {
    /// A configuration that names the port.
    private func configuration(_ path: String, _ family: String, baud: Int = 115_200) throws -> String {
        let file = try Workbench.mine().path("readers.json")
        let text = #"{"readers":{"ttys":[{"path":"\#(path)","family":"\#(family)","baud":\#(baud)}]}}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    private func only(_ ended: Ended) throws -> (state: String?, reader: [String: Any], problems: [[String: String]]) {
        let readers = try ended.list("readers")
        #expect(readers.count == 1, "\(ended)")
        let reader = try #require(readers.first)
        return (reader["state"] as? String, reader, try #require(reader["problems"] as? [[String: String]]))
    }

    @Test(
        "a reader on a port that the configuration names is ready, and takes a payment",
        arguments: [
            "neo2", "qpos", "mpi",
        ])
    func configured(family: String) async throws {
        let bus = try await MockReader("reference:plugged=no")
        let reader = try PtyReader(family)
        let file = try configuration(reader.node, family)
        let probed = try await bus.run("probe", "--json", "--config", file)
        #expect(probed.status == 0, "\(probed)")
        let found = try only(probed)
        #expect(found.state == "ready" && found.problems.isEmpty)
        #expect(found.reader["transport"] as? String == "tty" && found.reader["driver"] as? String == family)
        #expect(found.reader["node"] as? String == reader.node)
        let sale = try await bus.run("sale", "--amount", "1.00", "--json", "--config", file)
        #expect(sale.status == 0, "\(sale)")
        await reader.close()
        await bus.close()
    }

    @Test("a reader at another speed is told with the speed to configure", arguments: ["neo2", "qpos", "mpi"])
    func wrongSpeed(family: String) async throws {
        let bus = try await MockReader("reference:plugged=no")
        let reader = try PtyReader(family, baud: 9600)
        let file = try configuration(reader.node, family)
        let found = try await ProbedReader.found {
            try await BlackBoxTests.run(bus.seen(by: readerctl($0 + ["--config", file])))
        }
        #expect(found.status == 4 && found.state == "fault")
        #expect(
            found.problems == [
                .init(
                    code: "wrongSpeed", message: "The reader on \(reader.node) answers at 9600 baud, not at 115200.",
                    fix: #"Set its speed in the configuration: "readers": {"ttys": [{"path": "\#(reader.node)", "#
                        + #""family": "\#(family)", "baud": 9600}]}."#)
            ])
        let right = try configuration(reader.node, family, baud: 9600)
        #expect(try await bus.run("probe", "--json", "--config", right).status == 0)
        await reader.close()
        await bus.close()
    }

    @Test("a serial port that nobody knows is not listed, and not a byte is written to it, without --intrusive")
    func unknown() async throws {
        let reader = try PtyReader("none")
        let bus = try await MockReader("reference:tty=ttyUSB0@\(reader.node)@ftdi_sio")
        let polite = try await bus.run("probe", "--json")
        #expect(polite.output == "{\"readers\":[]}\n" && polite.status == 3, "\(polite)")
        #expect(reader.written == 0)
        let found = try await ProbedReader.found {
            try await BlackBoxTests.run(bus.seen(by: readerctl($0 + ["--intrusive"])))
        }
        #expect(found.status == 4 && found.state == "unsupported")
        #expect(
            found.problems == [
                .init(
                    code: "unknownDevice",
                    message: "Nothing on /dev/ttyUSB0 has answered as a reader, at no usual speed.",
                    fix: "If it is a reader, check its power and cable, or name it with its family and speed in "
                        + "readers.ttys of the configuration.")
            ])
        #expect(found.members["driver"] is NSNull && found.text("node") == "/dev/ttyUSB0")
        #expect(reader.written > 0)
        await bus.close()
        await reader.close()
    }

    @Test(
        "with --intrusive a reader that nobody has named is found, and told how to name it",
        arguments: [
            "neo2", "qpos", "mpi",
        ])
    func intrusive(family: String) async throws {
        let reader = try PtyReader(family)
        let bus = try await MockReader(
            "reference:tty=ttyUSB0@\(reader.node)@ftdi_sio,property=ID_MM_CANDIDATE=1")
        let ended = try await bus.run("probe", "--json", "--intrusive")
        #expect(ended.status == 0, "\(ended)")
        let found = try only(ended)
        #expect(found.state == "ready" && found.reader["driver"] as? String == family)
        #expect(found.problems.map { $0["code"] } == ["modemManager", "notConfigured"])
        #expect(found.problems.first?["fix"]?.contains("ID_MM_DEVICE_IGNORE=1") == true)
        #expect(found.problems.last?["fix"]?.contains(#""family": "\#(family)""#) == true)
        await bus.close()
        await reader.close()
    }
}
