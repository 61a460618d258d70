import Transport

/// What can be wrong with a reader at a serial line, and the fix of each.
enum TTYProblems {
    static let modemManager = ReaderProblem(
        .modemManager, message: "ModemManager may take the port and ask it whether it is a modem.",
        fix: ReaderProblem.keepModemManagerAway)

    static func unknown(_ candidate: some AskedLine) -> ReaderProblem {
        ReaderProblem(
            .unknownDevice, message: "Nothing on \(candidate.node) has answered as a reader, at no usual speed.",
            fix:
                "If it is a reader, check its power and cable, or name it with its family and speed in readers.ttys of "
                + "the configuration.")
    }

    static func silent(_ candidate: some AskedLine) -> ReaderProblem {
        ReaderProblem(
            .silent, message: "The reader on \(candidate.node) does not answer, at no usual speed.",
            fix: "Check the reader's power and cable; plug it out and in again.")
    }

    static func wrongSpeed(_ candidate: some AskedLine, _ finding: TTYSpeedSearch.Finding) -> ReaderProblem {
        ReaderProblem(
            .wrongSpeed,
            message: "The reader on \(candidate.node) answers at \(finding.speed.bitsPerSecond) baud, not at "
                + "\(candidate.speed.bitsPerSecond).",
            fix: "Set its speed in the configuration: \(candidate.entry(finding)).")
    }

    static func notConfigured(_ candidate: some AskedLine, _ finding: TTYSpeedSearch.Finding) -> ReaderProblem {
        ReaderProblem(
            .notConfigured, message: "The reader is used only when the configuration names its port.",
            fix: "Add to the configuration: \(candidate.entry(finding)).")
    }

    static func denial(_ node: String) -> ReaderProblem? {
        guard let access = NodeAccess.of(node) else { return nil }
        let mode = String(access.mode & 0o7777, radix: 8)
        let rules = "install udev/\(UdevRules.fileName) in /etc/udev/rules.d and plug the device in again"
        return ReaderProblem(
            .accessDenied,
            message: "Access to \(node) is denied: it belongs to \(access.owner):\(access.group), mode \(mode).",
            fix: access.group == "root"
                ? "Let a group have it: \(rules)."
                : "Run 'sudo usermod -aG \(access.group) $USER' and log in again, or \(rules).")
    }
}
