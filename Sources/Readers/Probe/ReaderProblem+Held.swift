extension ReaderProblem {
    /// The words before the name of a driver of the kernel that holds a reader.
    static let kernelDriver = "kernel driver "

    /// - Parameter holder: as `ReaderSource.holder(of:)` tells it.
    static func held(by holder: String?) -> ReaderProblem {
        let holder = holder ?? "another program"
        let message = "The reader is held by \(holder)."
        if holder.hasPrefix(kernelDriver) {
            let name = holder.dropFirst(kernelDriver.count).prefix { $0 != " " && $0 != "," }
            return ReaderProblem(
                .kernelDriver, message: message,
                fix: "Name the driver's serial port in readers.ttys of the configuration, or take the driver away: "
                    + "'sudo modprobe -r \(name)'.")
        }
        if holder.contains("ModemManager") {
            return ReaderProblem(.modemManager, message: message, fix: keepModemManagerAway)
        }
        let fix =
            holder.contains("pcscd")
            ? "Stop the PC/SC service: 'sudo systemctl stop pcscd.socket pcscd.service'."
            : "Wait until a running payment has ended, or stop the program that holds the reader."
        return ReaderProblem(.held, message: message, fix: fix)
    }

    static let keepModemManagerAway =
        "Install udev/\(UdevRules.fileName), or set ID_MM_DEVICE_IGNORE=1 for this device in a udev rule, and plug it in "
        + "again; or 'sudo systemctl stop ModemManager'."
}
