import Foundation
import Glibc
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
        let ended = try await bus.run("probe", "--json", "--config", try configuration(reader.node, family))
        #expect(ended.status == 4)
        let found = try only(ended)
        #expect(found.state == "fault" && found.problems.map { $0["code"] } == ["wrongSpeed"], "\(ended)")
        #expect(found.problems.first?["message"]?.contains("answers at 9600 baud, not at 115200") == true)
        #expect(found.problems.first?["fix"]?.contains(#""baud": 9600"#) == true)
        let right = try configuration(reader.node, family, baud: 9600)
        #expect(try await bus.run("probe", "--json", "--config", right).status == 0)
        await reader.close()
        await bus.close()
    }

    @Test("a reader that answers at no speed is silent")
    func dead() async throws {
        let bus = try await MockReader("reference:plugged=no")
        let reader = try PtyReader("none")
        let ended = try await bus.run("probe", "--json", "--config", try configuration(reader.node, "qpos"))
        #expect(ended.status == 4)
        let found = try only(ended)
        #expect(found.state == "fault" && found.problems.map { $0["code"] } == ["silent"], "\(ended)")
        #expect(found.problems.first?["fix"]?.contains("power and cable") == true)
        await reader.close()
        await bus.close()
    }

    @Test("a port that another program has is busy and names it; nothing is written")
    func held() async throws {
        let bus = try await MockReader("reference:plugged=no")
        let reader = try PtyReader("qpos")
        var program = Program(Prerequisites.product("linecheck"), ["hold", reader.node])
        program.inputFile = nil
        let holder = try Workbench.mine().start(program)
        #expect(await holder.line() != nil)
        let ended = try await bus.run("probe", "--json", "--config", try configuration(reader.node, "qpos"))
        #expect(ended.status == 4)
        let found = try only(ended)
        #expect(found.state == "busy" && found.problems.map { $0["code"] } == ["held"], "\(ended)")
        #expect(found.reader["heldBy"] as? String == "linecheck (process \(holder.processId))")
        #expect(reader.written == 0)
        holder.closeInput()
        _ = await holder.end()
        await reader.close()
        await bus.close()
    }

    @Test(
        "a port that may not be opened is denied, with owner, group and fix",
        .enabled(if: geteuid() != 0, "root may open every port"))
    func denied() async throws {
        let bus = try await MockReader("reference:plugged=no")
        let reader = try PtyReader("qpos")
        #expect(chmod(reader.node, 0) == 0)
        let ended = try await bus.run("probe", "--json", "--config", try configuration(reader.node, "qpos"))
        let found = try only(ended)
        #expect(found.state == "denied" && found.problems.map { $0["code"] } == ["accessDenied"], "\(ended)")
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
        let intrusive = try await bus.run("probe", "--json", "--intrusive")
        #expect(intrusive.status == 4)
        let found = try only(intrusive)
        #expect(found.state == "unsupported" && found.problems.map { $0["code"] } == ["unknownDevice"], "\(intrusive)")
        #expect(found.reader["driver"] is NSNull && found.reader["node"] as? String == "/dev/ttyUSB0")
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
