import Discovery
import Transport
import USBSerial

/// What can stand in the way of driving a serial chip over USB, and the fix of each.
enum ChipProblems {
    static func denial(_ candidate: ChipCandidate) -> ReaderProblem? {
        guard let access = NodeAccess.of(candidate.node) else { return nil }
        let mode = String(access.mode & 0o7777, radix: 8)
        let device = candidate.line.device
        // The rules of readers give access to what the catalogue knows as a reader; other chips are opted in.
        let isReader = candidate.reason == .catalogue
        let file = isReader ? UdevRules.fileName : SerialChipRules.fileName
        let ids = "\(hex4(device.vendorId)):\(hex4(device.productId))"
        let isListed = SerialChipIds.all.contains { $0.vendorId == device.vendorId && $0.productId == device.productId }
        let line =
            isReader ? "" : isListed ? ", take the '#' from its line of \(ids)" : " and add a line for \(ids) to it"
        return ReaderProblem(
            .accessDenied,
            message: "Access to \(access.node) is denied: it belongs to \(access.owner):\(access.group), mode \(mode).",
            fix: "Run 'sudo groupadd --system --force \(ReaderCatalogue.group)', install udev/\(file) in "
                + "/etc/udev/rules.d\(line), run 'sudo udevadm control --reload && sudo udevadm trigger', then "
                + "'sudo usermod -aG \(ReaderCatalogue.group) $USER' and log in again.")
    }

    /// What to say when a driver of the kernel has the chip though it has made no tty of it.
    static func kernelDriver(_ candidate: ChipCandidate) -> ReaderProblem? {
        guard !candidate.isDirect, let driver = candidate.line.kernelDriver else { return nil }
        let family = candidate.family ?? .qpos
        let entry = ConfiguredUSBLine(candidate.name, family: family, baud: candidate.speed, isDirect: true).entry
        let placeholder = candidate.family == nil ? " (with the family of yours)" : ""
        return ReaderProblem(
            .kernelDriver,
            message: "The kernel driver \(driver) has the chip, and there is no serial port of it.",
            fix: "Let ReaderKit take it away while the reader is in use: \(entry)\(placeholder); or "
                + "'sudo modprobe -r \(driver)'.")
    }
}
