import Foundation
import Readers
import Testing

/// Every code of a problem that `readerctl probe` names, by what brings it about. A new code needs a scenario here.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct ReachedReaderProblemTests {
    @Test("every code is reached, and is on the page", arguments: ReaderProblem.Code.allCases)
    func reached(code: ReaderProblem.Code) async throws {
        let problems = try await Self.probe(code).list("readers").flatMap { reader in
            try #require(reader["problems"] as? [[String: String]])
        }
        let problem = try #require(problems.first { $0["code"] == code.rawValue }, "\(problems)")
        #expect(problem["message"]?.isEmpty == false && problem["fix"]?.hasSuffix(".") == true, "\(problem)")
        _ = try ErrorsPage(section: "Problems that probe names").row(code.rawValue)
    }

    private static func probe(_ code: ReaderProblem.Code) async throws -> Ended {
        switch code {
        case .accessDenied: return try await usb("ccid:access-denied=3600000")
        case .held: return try await usb("ccid", ["errno claim EBUSY"])
        case .silent: return try await usb("ccid", ["fault next silent", "fault next silent", "fault next silent"])
        case .fault: return try await usb("ccid", ["fault next stall"])
        case .unsupported: return try await usb("ccid:level=character")
        case .kernelDriver: return try await usb("ccid:tty=ttyACM0@/dev/null@cdc_acm", ["errno claim EBUSY"])
        case .sameSerial: return try await usb("ccid:serial=TWIN", second: "ccid:serial=TWIN")
        case .wrongSpeed: return try await configured(PtyReader("qpos", baud: 9600))
        case .unknownDevice: return try await asked(PtyReader("none"))
        case .modemManager, .notConfigured: return try await asked(PtyReader("qpos"))
        }
    }

    private static func usb(_ device: String, _ steering: [String] = [], second: String? = nil) async throws -> Ended {
        let bus: MockReader
        if let second { bus = try await MockReader(device, second) } else { bus = try await MockReader(device) }
        for line in steering { try await bus.steer("1-1 " + line) }
        let ended = try await bus.run("probe", "--json")
        await bus.close()
        return ended
    }

    /// The configuration names the port.
    private static func configured(_ reader: PtyReader) async throws -> Ended {
        let bus = try await MockReader("reference:plugged=no")
        let file = try Workbench.mine().path("readers.json")
        try Data(#"{"readers":{"ttys":[{"path":"\#(reader.node)","family":"qpos"}]}}"#.utf8)
            .write(to: URL(fileURLWithPath: file))
        let ended = try await bus.run("probe", "--json", "--config", file)
        await reader.close()
        await bus.close()
        return ended
    }

    /// Nobody has named the port, and every port is asked.
    private static func asked(_ reader: PtyReader) async throws -> Ended {
        let bus = try await MockReader(
            "reference:tty=ttyUSB0@\(reader.node)@ftdi_sio,property=ID_MM_CANDIDATE=1")
        let ended = try await bus.run("probe", "--json", "--intrusive")
        await bus.close()
        await reader.close()
        return ended
    }
}
