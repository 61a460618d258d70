import FirmwareCores
import Testing

@testable import UMockdevBed
@testable import fwmockd

@Suite struct CommandLineTests {
    @Test func `a program and its arguments come after two hyphens`() throws {
        let arguments = try Arguments([
            "--device", "reference", "--device=reference:serial=R2", "--limit", "5", "--", "prog", "--help", "--",
        ])
        #expect(arguments.devices.map(\.family) == ["reference", "reference"])
        #expect(arguments.limit == 5)
        #expect(arguments.program == ["prog", "--help", "--"])
        #expect(!arguments.wantsHelp)
    }

    @Test(arguments: [
        ["--"], ["prog"], ["--device"], ["--device", ":"], ["--limit", "0", "--", "x"], ["--limit", "5"],
        ["--script", "s"], ["--frob"], ["--frob=1"],
    ])
    func `wrong use is refused`(words: [String]) {
        #expect(throws: Arguments.Misuse.self) { try Arguments(words) }
    }

    @Test func `a script is sorted by time and keeps the order of equal times`() throws {
        let script = try Script(text: "# faults\n200 1-1 plug\n0 1-1 errno claim EBUSY\n\n0 1-2 unplug\n")
        #expect(script.steps.map(\.milliseconds) == [0, 0, 200])
        #expect(script.steps.map(\.command) == ["1-1 errno claim EBUSY", "1-2 unplug", "1-1 plug"])
    }

    @Test(arguments: ["soon 1-1 plug", "5", "-1 1-1 plug"])
    func `a malformed script is refused`(text: String) {
        #expect(throws: Script.Malformed.self) { try Script(text: text) }
    }

    @Test func `lines are cut at newlines wherever the bytes are split`() {
        var buffer = LineBuffer()
        #expect(buffer.append(Array("1-1 un".utf8)) == [])
        #expect(buffer.append(Array("plug\n1-1 plug\n1".utf8)) == ["1-1 unplug", "1-1 plug"])
        #expect(buffer.append([UInt8](repeating: 0x41, count: 5000)) == nil)
    }

    @Test(arguments: [
        ("0.16.0", true), ("0.17.16", true), ("0.19.3", true), ("0.15.4", false), ("0.20.0", false), ("1.17.0", false),
        ("0.17.x", false), ("", false),
    ])
    func `only versions with a known protocol are accepted`(version: String, isKnown: Bool) {
        #expect(UMockdevInstallation.isKnown(version: version) == isKnown)
    }
}
