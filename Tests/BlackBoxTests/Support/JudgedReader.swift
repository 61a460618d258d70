import Foundation
import Testing

/// A mock reader behind pcscd and libccid, which others wrote. pcscd runs under the preload, in a mount namespace with a
/// /run/pcscd of its own, so that a pcscd of this machine is left alone. PC/SC programs run in that namespace, without the
/// preload.
struct JudgedReader {
    private let bus: MockReader
    private let service: RunningProgram

    /// - Parameter device: for example `ccid:card=visa-credit,level=tpdu`; of a model that libccid lists.
    init(_ device: String) async throws {
        bus = try await MockReader(device)
        // unshare and mount see the real machine; only pcscd sees the bus.
        let variables = bus.environment.compactMap { name, value in value.map { "\(name)=\($0)" } }
        let script = "mkdir -p /run/pcscd && mount -t tmpfs tmpfs /run/pcscd && exec env \"$@\""
        var program = Program(
            "unshare", ["-m", "sh", "-c", script, "sh"] + variables + ["pcscd", "--foreground", "--debug"])
        program.mayShowCards = true
        program.limit = 150
        service = try Workbench.mine().start(program)
        // The card is powered as soon as pcscd has found the reader.
        try await expect("Card ATR:")
    }

    /// `PORT COMMAND...`
    func steer(_ line: String) async throws {
        try await bus.steer(line)
    }

    /// The next of pcscd's messages with these words, which it gives in the answer.
    @discardableResult
    func expect(_ words: String) async throws -> String {
        guard let line = await service.line(containing: words) else {
            throw EndedEarly(title: service.program.title, ended: await service.end())
        }
        return line
    }

    func openscTool(_ arguments: String...) async throws -> Ended {
        var program = Program(
            "nsenter", ["-t", String(service.processId), "-m", "opensc-tool"] + arguments)
        program.mayShowCards = true
        return try await run(program)
    }

    /// Sends commands to the card in one session, and answers what opensc-tool says that it got: data and status word.
    func exchange(_ commands: [[UInt8]]) async throws -> [[UInt8]] {
        var arguments = ["-t", String(service.processId), "-m", "opensc-tool", "-r", "0", "-c", "default"]
        for command in commands { arguments += ["-s", Self.hex(command)] }
        var program = Program("nsenter", arguments)
        program.mayShowCards = true
        let ended = try await run(program)
        #expect(ended.status == 0, "\(ended.errors)")
        return Self.answers(in: ended.output)
    }

    func close() async {
        service.send(SIGTERM)
        let ended = await service.end()
        #expect(!ended.wasKilled)
        await bus.close()
    }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }

    /// Reads "Received (SW1=0x90, SW2=0x00):" and the dump after it: rows of up to sixteen bytes in hex, each with its
    /// characters at the end.
    static func answers(in text: String) -> [[UInt8]] {
        var answers: [[UInt8]] = []
        var (data, status): ([UInt8], [UInt8]) = ([], [])
        func finish() {
            if !status.isEmpty { answers.append(data + status) }
            (data, status) = ([], [])
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let match = line.firstMatch(of: /Received \(SW1=0x([0-9A-F]{2}), SW2=0x([0-9A-F]{2})\)/) {
                finish()
                status = [match.1, match.2].compactMap { UInt8($0, radix: 16) }
            } else if line.hasPrefix("Sending:") {
                finish()
            } else if !status.isEmpty, !line.isEmpty {
                // The first row of a short answer has no padding: three characters a byte, and one for its character.
                let isFirstRow = data.isEmpty && line.count < 64
                let count = isFirstRow ? line.count / 4 : line.count - 48
                data += line.split(separator: " ").prefix(max(0, count)).compactMap { UInt8($0, radix: 16) }
            }
        }
        finish()
        return answers
    }
}
