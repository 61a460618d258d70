import Foundation
import Glibc
import Testing

/// A mock USB bus: fwmockd beside the program that uses it, steered line by line.
struct MockReader {
    private let daemon: RunningProgram
    /// What a program needs to see the bus.
    let environment: [String: String?]

    struct Refused: Error {
        var line: String
        var answer: String
    }

    /// Plugs in the devices, for example `ccid:card=visa-credit`.
    init(_ devices: String...) async throws {
        let program = Program(Prerequisites.product("fwmockd"), devices.flatMap { ["--device", $0] })
        var served = program
        served.limit = 240
        served.inputFile = nil
        daemon = try Workbench.mine().start(served)
        guard let ready = await daemon.line(),
            let announced = try JSONSerialization.jsonObject(with: Data(ready.utf8)) as? [String: Any],
            let variables = announced["environment"] as? [String: String]
        else { throw EndedEarly(title: program.title, ended: await daemon.end()) }
        environment = variables.mapValues { .some($0) }
    }

    /// `PORT COMMAND...`; see `fwmockd --help`.
    func steer(_ line: String) async throws {
        daemon.write(line + "\n")
        let answer = await daemon.line() ?? "no answer"
        guard answer == "ok" else { throw Refused(line: line, answer: answer) }
    }

    /// The program sees this bus.
    func seen(by program: Program) -> Program {
        var program = program
        program.environment.merge(environment) { _, mine in mine }
        return program
    }

    @discardableResult
    func run(_ arguments: String...) async throws -> Ended {
        try await Workbench.mine().run(seen(by: readerctl(arguments)))
    }

    func start(_ arguments: String...) throws -> RunningProgram {
        try Workbench.mine().start(seen(by: readerctl(arguments)))
    }

    /// Ends the bus. A bus that met something it should not (an unknown ioctl, for example) fails the test.
    func close(_ location: SourceLocation = #_sourceLocation) async {
        daemon.send(SIGTERM)
        let ended = await daemon.end()
        #expect(ended.status == 0 && ended.errors == "", "fwmockd: \(ended)", sourceLocation: location)
    }
}
