import Foundation
import Glibc
import Testing

/// `readerctl host` on a free port, with a book of its own, and a configuration that uses it.
struct HostProcess {
    private let running: RunningProgram
    /// HOST:PORT.
    let address: String
    /// A configuration file.
    let configuration: String

    /// - Parameters:
    ///   - more: options of the host.
    ///   - settings: of the gateway, beside kind and host.
    ///   - kiosk: of the kiosk's configuration, beside the gateway.
    init(
        _ more: [String] = [], settings: [String: Any] = [:], kiosk: [String: Any] = [:], hostTimeout: Int = 60
    ) async throws {
        let bench = try Workbench.mine()
        var program = readerctl(
            ["host", "--listen", "127.0.0.1:0", "--json", "--data", bench.path("host-data")] + more)
        program.limit = 240
        running = try bench.start(program)
        guard let ready = await running.line(),
            let announced = try JSONSerialization.jsonObject(with: Data(ready.utf8)) as? [String: Any],
            announced["ready"] as? Bool == true, let address = announced["listen"] as? String
        else { throw EndedEarly(title: program.title, ended: await running.end()) }
        self.address = address
        var gateway = settings
        gateway["kind"] = "iso8583"
        if gateway["host"] == nil { gateway["host"] = address }
        configuration = bench.path("kiosk-\(UInt32.random(in: 0 ... .max)).json")
        var file = kiosk
        file["gateway"] = gateway
        file["hostTimeoutSeconds"] = hostTimeout
        try JSONSerialization.data(withJSONObject: file).write(to: URL(fileURLWithPath: configuration))
    }

    func sale(_ amount: String, _ more: String..., card: String = "visa-credit") -> Program {
        readerctl(
            ["sale", "--simulate", card, "--amount", amount, "--json", "--config", configuration] + more)
    }

    /// The next message of this kind that it tells of.
    func told(_ operation: String) async throws -> [String: Any] {
        let line = try #require(await running.line(containing: "{\"operation\":\"\(operation)\""))
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// It stops, as behind a line that holds everything back: what is sent to it waits.
    func hold() { running.send(SIGSTOP) }

    /// It goes on with what has come meanwhile.
    func release() { running.send(SIGCONT) }

    /// Ends it and answers its totals.
    func close() async throws -> [String: Any] {
        running.send(SIGTERM)
        let ended = await running.end()
        #expect(ended.status == 0, "\(ended.errors)")
        let last = try #require(ended.output.split(separator: "\n").last)
        let document = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any]
        return try #require(document?["totals"] as? [String: Any])
    }
}
