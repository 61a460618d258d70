import Foundation
import Testing

/// USB-serial chips through the unmodified libusb: fwmockd serves the chip, chipcheck drives it.
@Suite(.enabled(if: missingPrerequisite == nil, "skipped: \(missingPrerequisite ?? "")"), .timeLimit(.minutes(2)))
struct USBSerialChipTests {
    private static let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    private static let hasExecutables = ["fwmockd", "chipcheck"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: products.appendingPathComponent($0).path)
    }

    /// The lines of one run, and what was complained about.
    private func run(_ device: String, _ arguments: String...) throws -> (
        lines: [String], status: Int32, messages: String
    ) {
        let process = Process()
        let (output, messages) = (Pipe(), Pipe())
        process.executableURL = Self.products.appendingPathComponent("fwmockd")
        process.arguments =
            ["--limit", "60", "--device", device, "--", Self.products.appendingPathComponent("chipcheck").path]
            + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = messages
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = messages.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init), process.terminationStatus,
            String(decoding: complaints, as: UTF8.self)
        )
    }

    private static let chips = [
        ("cdc-acm", "CDC-ACM"), ("ftdi", "FTDI FT232R"), ("ftdi:model=ft2232h", "FTDI FT2232H"),
        ("cp210x", "Silicon Labs CP2102"), ("ch34x", "WCH CH34x"), ("pl2303", "Prolific PL2303HX"),
        ("pl2303:model=hxn", "Prolific PL2303HXN"),
    ]

    private static let steps = ["ok echo", "ok echo-64k", "ok speed", "ok lines", "ok time-out"]

    @Test(.enabled(if: hasExecutables, "skipped: fwmockd or chipcheck not found"), arguments: chips)
    func `opens, exchanges, changes settings, closes and opens again`(device: String, name: String) throws {
        let ended = try run(device)
        #expect(ended.lines == ["ok find", "ok open", "chip \(name)"] + Self.steps + ["ok close", "ok open-again"])
        #expect(ended.status == 0, "\(ended.messages)")
    }

    @Test(
        .enabled(if: hasExecutables, "skipped: fwmockd or chipcheck not found"),
        arguments: [
            ("cdc-acm", "cdc_acm"), ("ftdi", "ftdi_sio"), ("cp210x", "cp210x"), ("ch34x", "ch341"),
            ("pl2303", "pl2303"),
        ])
    func `takes the port from the kernel's driver only when asked, and gives it back`(
        device: String, driver: String
    ) throws {
        let ended = try run("\(device):driver=\(driver)", "--held")
        #expect(
            ended.lines.filter { !$0.hasPrefix("chip") }
                == ["ok find", "ok held", "ok open"] + Self.steps + ["ok close", "ok held"])
        #expect(ended.status == 0, "\(ended.messages)")
    }

    @Test(
        .enabled(if: hasExecutables, "skipped: fwmockd or chipcheck not found"),
        arguments: ["cdc-acm", "ftdi", "cp210x", "ch34x", "pl2303"])
    func `a device that leaves during a receive is gone`(device: String) throws {
        let ended = try run("\(device):leaves-after=65647", "--unplug")
        #expect(ended.lines.suffix(2) == ["ok gone", "ok close"])
        #expect(ended.status == 0, "\(ended.messages)")
    }
}
