import Foundation
import Testing

/// fwmockd as a user runs it, with lsusb (real libusb and libudev) as the client.
@Suite(.enabled(if: missingPrerequisite == nil, "skipped: \(missingPrerequisite ?? "")"))
struct FwmockdTests {
    private struct Ended: Equatable {
        var status: Int32
        var output: String
        var messages: String
    }

    /// The executable beside the test bundle.
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("fwmockd")
    private static let hasExecutable = FileManager.default.isExecutableFile(atPath: executable.path)
    private static let hasLsusb = FileManager.default.isExecutableFile(atPath: "/usr/bin/lsusb")

    private func run(_ arguments: String..., input: String = "") throws -> Ended {
        let process = Process()
        let (standardInput, output, messages) = (Pipe(), Pipe(), Pipe())
        process.executableURL = Self.executable
        process.arguments = arguments
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = messages
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = messages.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Ended(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            messages: String(decoding: complaints, as: UTF8.self))
    }

    @Test(.enabled(if: hasExecutable && hasLsusb, "skipped: fwmockd or lsusb not found"))
    func `two identical readers are seen at their ports`() throws {
        let ended = try run(
            "--device", "reference", "--device", "reference:serial=R0002,port=1-4", "--", "lsusb", "-v", "-d", "1209:")
        #expect(ended.status == 0)
        // What lsusb calls them depends on the names that udev has for the ids.
        #expect(ended.output.contains("Bus 001 Device 002: ID 1209:0001"))
        #expect(ended.output.contains("Bus 001 Device 003: ID 1209:0001"))
        #expect(ended.output.contains("iSerial                 3 R0001"))
        #expect(ended.output.contains("iSerial                 3 R0002"))
        #expect(ended.output.contains("Device Status:     0x0000"))
        #expect(ended.messages.contains("fwmockd") == false)
    }

    @Test(.enabled(if: hasExecutable && hasLsusb, "skipped: fwmockd or lsusb not found"))
    func `a device that is not plugged in is not seen`() throws {
        let ended = try run("--device", "reference:plugged=no", "--", "lsusb", "-d", "1209:")
        #expect(ended.status == 1)
        #expect(ended.output == "")
        #expect(ended.messages == "fwmockd: the client exited with 1; the mock was serving\n")
    }

    @Test(.enabled(if: hasExecutable, "skipped: fwmockd not found"))
    func `steering lines are answered and the end of input ends it`() throws {
        let ended = try run("--device", "reference", input: "1-1 unplug\n1-1 plug\n\n1-1 sing\nnonsense\n")
        let lines = ended.output.split(separator: "\n").map(String.init)
        #expect(ended.status == 0)
        #expect(lines.first?.hasPrefix(#"{"ready":true,"root":""#) == true)
        #expect(
            Array(lines.dropFirst()) == [
                "ok", "ok", "error: the reference reader does not understand 'sing'", "error: expected PORT COMMAND",
            ])
    }

    @Test(
        .enabled(if: hasExecutable, "skipped: fwmockd not found"),
        arguments: [
            (["--", "sh", "-c", "exit 7"], 7, "fwmockd: the client exited with 7; the mock was serving\n"),
            (
                ["--", "sh", "-c", "kill -KILL $$"], 137,
                "fwmockd: the client died first, of signal 9 (Killed); the mock was serving\n"
            ),
            (
                ["--limit", "1", "--", "sleep", "30"], 124,
                "fwmockd: the client did not end within 1 s and was killed; the mock was serving\n"
            ),
            (["--", "/no/such/program"], 126, "fwmockd: cannot start /no/such/program: No such file or directory\n"),
            (
                ["--device", "mystery"], 2,
                "fwmockd: there is no firmware family 'mystery'; known: "
            ),
        ] as [([String], Int32, String)])
    func `its exit status tells how the run ended`(arguments: [String], status: Int32, message: String) throws {
        let process = Process()
        let messages = Pipe()
        process.executableURL = Self.executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardError = messages
        try process.run()
        let text = messages.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == status)
        #expect(String(decoding: text, as: UTF8.self).hasPrefix(message))
    }
}
