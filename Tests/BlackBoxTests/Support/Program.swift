import Glibc

/// A program to run, with everything that it depends on: nothing of the tester's own environment reaches it.
struct Program: Sendable {
    /// A path, or a name to be looked up in PATH.
    var executable: String
    var arguments: [String]
    /// Beside the workbench's own variables; nil takes one away.
    var environment: [String: String?] = [:]
    /// Standard input of a foreground run.
    var input: [UInt8] = []
    /// What standard input is read from otherwise; nil: a pipe that stays open.
    var inputFile: String? = "/dev/null"
    /// Seconds until it is killed. Real time, generous: other tests run at the same time.
    var limit = 60
    /// It is asked to show card data, or it is not ours: its output is not searched for card numbers.
    var mayShowCards = false
    /// Standard error is a terminal, as at a kiosk that somebody stands before: prompts are shown.
    var isInteractive = false

    init(_ executable: String, _ arguments: [String]) {
        self.executable = executable
        self.arguments = arguments
    }

    var title: String {
        let name = executable.split(separator: "/").last.map(String.init) ?? executable
        return ([name] + arguments).joined(separator: " ")
    }

    /// Started by another program, as `faketime` or `unshare` do.
    func started(by executable: String, _ arguments: String...) -> Program {
        var outer = self
        outer.executable = executable
        outer.arguments = arguments + [self.executable] + self.arguments
        return outer
    }

    /// The clock stands still at this moment, in the zone of `TZ`. Every clock does, so nothing may wait for time.
    func frozen(at moment: String, zone: String) -> Program {
        var frozen = started(by: "faketime", "-f", moment)
        frozen.environment["TZ"] = zone
        return frozen
    }

    /// The clock is ahead and runs.
    func later(bySeconds seconds: Int) -> Program {
        started(by: "faketime", "-f", "+\(seconds)s")
    }

    /// Without the rights of root: as nobody, where root runs the tests.
    func asNobody() -> Program {
        guard geteuid() == 0 else { return self }
        return started(by: "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--")
    }
}
