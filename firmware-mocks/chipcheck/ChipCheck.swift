import Discovery
import Glibc
import Transport
import USB
import USBSerial

/// Drives the first USB-serial chip that libusb finds, with an echo behind it, one result line per step: for tests that need
/// the unmodified libraries in a process of its own.
@main
struct ChipCheck {
    static let usage = """
        usage: chipcheck [--held] [--unplug]
          "chip NAME" first; then "ok STEP" or "FAIL STEP reason".
          --held: a kernel driver holds the port; it is not taken unasked, and is back after the close.
          --unplug: the device leaves by itself with the byte 65647; it gets that one last.
          Exit status: 0 as expected, 1 not, 64 usage.
        """

    /// No run takes longer than this, seconds; the alarm ends the process.
    static let hardLimit: UInt32 = 60

    static func main() async {
        let arguments = Set(CommandLine.arguments.dropFirst())
        guard arguments.isSubset(of: ["--held", "--unplug"]) else {
            let text = Array((usage + "\n").utf8)
            _ = write(STDERR_FILENO, text, text.count)
            exit(64)
        }
        alarm(hardLimit)
        let context = USBContext()
        var run = ChipRun(context: context)
        await run.steps(isHeld: arguments.contains("--held"), leaves: arguments.contains("--unplug"))
        await context.shutdown()
        exit(run.hasFailed ? 1 : 0)
    }

    static func say(_ line: String) {
        print(line)
        // Whoever reads the lines may have to judge an unfinished run.
        fflush(nil)
    }
}
