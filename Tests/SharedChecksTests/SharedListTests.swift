import SharedChecks
import Testing

@Suite("The shared list")
struct SharedListTests {
    /// The thirty that every rung-2 and rung-3 run has, in order.
    private let thirty = [
        "context-init", "udev-enumerates", "hotplug-registers-and-enumerates", "config-descriptor", "open", "claim",
        "string-descriptor", "vendor-in-short", "vendor-out", "control-stall",
        "echo", "echo-2000", "short-5-of-512", "zero-length", "short-100-of-512", "bulk-stall", "clear-halt",
        "echo-after-clear", "timeout-300", "late-150", "interrupt-notify", "submit-and-cancel", "eight-in-order",
        "in-flight-no-device", "hotplug-left", "transfer-on-gone-device", "hotplug-arrived", "reopen", "claim-again",
        "echo-after-replug",
    ]

    @Test("has the thirty, on rungs 2 and 3, and begins with them")
    func complete() {
        for rung in [Rung.umockdev, .qemu] {
            #expect(SharedList.checks(for: rung).prefix(30).map(\.name) == thirty)
        }
    }

    @Test("names each check once, finds it by name, and bounds it")
    func names() {
        #expect(Set(SharedList.all.map(\.name)).count == SharedList.all.count)
        for check in SharedList.all {
            #expect(SharedList.check(named: check.name)?.group == check.group)
            #expect(check.bound > .zero && check.bound <= .seconds(60))
            #expect(!check.rungs.isEmpty)
        }
    }

    @Test("an outcome is one line")
    func lines() {
        #expect(CheckOutcome.passed.line(for: "echo") == "ok echo")
        #expect(CheckOutcome.failed("why").line(for: "echo") == "FAIL echo why")
        #expect(CheckOutcome.skipped("why").line(for: "echo") == "skip echo why")
    }
}
