import Glibc
import SharedChecks

/// Runs the shared list against the hardware that libusb and libudev find, one result line per check.
@main
struct HardwareCheck {
    static let usage = """
        usage: hwcheck [--list] [--rung 2|3] [--control PATH] [NAME…]
          Runs the named checks, or all of the rung. One line each: "ok NAME", "FAIL NAME reason", "skip NAME reason".
          --control PATH: fwmockd's control socket; without it, checks that inject faults are skipped.
          Exit status: 0 no failure, 1 at least one failure, 64 usage.
        """

    /// No run takes longer than this, seconds, whatever hangs; the alarm ends the process.
    static let hardLimit: UInt32 = 240

    static func main() async {
        var rung = Rung.umockdev
        var control: String?
        var names: [String] = []
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--list":
                for check in SharedList.all { print("\(check.name)\t\(check.group.rawValue)") }
                return
            case "--rung":
                guard let value = arguments.popFirst().flatMap({ Int($0) }).flatMap(Rung.init), value != .inProcess
                else {
                    return fail()
                }
                rung = value
            case "--control":
                guard let path = arguments.popFirst() else { return fail() }
                control = path
            case "--help":
                return print(usage)
            case _ where argument.hasPrefix("-"):
                return fail()
            default:
                names.append(argument)
            }
        }
        let unknown = names.filter { SharedList.check(named: $0) == nil }
        guard unknown.isEmpty else {
            for name in unknown { print("FAIL \(name) unknown check") }
            exit(1)
        }
        let checks = names.isEmpty ? SharedList.checks(for: rung) : names.compactMap(SharedList.check)
        alarm(hardLimit)
        exit(await run(checks, on: HardwareBench(rung: rung, control: control)) ? 0 : 1)
    }

    static func run(_ checks: [NamedCheck], on bench: HardwareBench) async -> Bool {
        let session = CheckSession(bench: bench)
        var hasFailed = false
        for check in checks {
            let outcome = await check.run(in: session)
            print(outcome.line(for: check.name))
            // Whoever reads the lines may have to judge an unfinished run.
            fflush(nil)
            if case .failed = outcome { hasFailed = true }
        }
        await session.finish()
        return !hasFailed
    }

    static func fail() {
        let text = Array((usage + "\n").utf8)
        _ = write(STDERR_FILENO, text, text.count)
        exit(64)
    }
}
