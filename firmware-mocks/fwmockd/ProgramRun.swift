import Glibc
import UMockdevBed

/// One run of a program on the mock bus.
struct ProgramRun {
    let bus: MockBus
    let program: [String]
    let script: Script
    /// Seconds.
    let limit: Int

    /// The exit status.
    func run() -> Int32 {
        let (started, failure) = Client.start(program, adding: bus.environment)
        guard let client = started else {
            Output.message("cannot start \(program[0]): \(String(cString: strerror(failure)))")
            return ExitStatus.cannotStart
        }
        let start = Self.milliseconds()
        var steps = script.steps[...]
        var isScriptRefused = false
        while true {
            if let end = client.end() {
                let status = report(end)
                return status == 0 && isScriptRefused ? ExitStatus.complaints : status
            }
            if let reason = bus.failureReason {
                client.kill()
                Output.message("the mock died first (\(reason)); the client was killed")
                return ExitStatus.mockFailed
            }
            let elapsed = Self.milliseconds() - start
            if elapsed >= limit * 1000 {
                client.kill()
                Output.message("the client did not end within \(limit) s and was killed; the mock was serving")
                return ExitStatus.limitReached
            }
            while let step = steps.first, step.milliseconds <= elapsed {
                steps.removeFirst()
                if let complaint = Steering.complaint(about: step.command, on: bus) {
                    Output.message("script: '\(step.command)': \(complaint)")
                    isScriptRefused = true
                }
            }
            let next = min(limit * 1000, steps.first?.milliseconds ?? .max) - elapsed
            if let signal = Signals.wait(for: Signals.ending + [SIGCHLD], milliseconds: max(1, min(next, 500))),
                signal != SIGCHLD
            {
                client.send(signal)
            }
        }
    }

    private func report(_ end: Client.End) -> Int32 {
        switch end {
        case .exited(let status):
            if status != 0 { Output.message("the client exited with \(status); the mock was serving") }
            return status
        case .killed(let signal):
            let name = String(cString: strsignal(signal))
            Output.message("the client died first, of signal \(signal) (\(name)); the mock was serving")
            return 128 + signal
        }
    }

    private static func milliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
