import Glibc
import Testing
import Transport

@testable import Serial

@Suite("Opening a port", .timeLimit(.minutes(2)))
struct OpeningTests {
    private static let settings = SerialSettings(baud: .b115200)

    private func refusal(
        _ path: String, _ options: SerialOpenOptions = SerialOpenOptions(settlingTime: .milliseconds(30))
    ) async -> TransportError? {
        let context = SerialContext()
        let error = await failure {
            try await context.open(path, Self.settings, options: options, until: soon).close()
        }
        await context.shutdown()
        return error
    }

    @Test("a port that is not there is gone, once the settling time is over")
    func absent() async {
        let error = await refusal("/dev/ttyUSB999")
        #expect(error?.code == .gone)
        #expect(error?.underlying == "ENOENT")
    }

    @Test("a port that comes a moment after its name was told is waited for")
    func late() async throws {
        let context = SerialContext()
        let far = try context.makeTerminal()
        let path = "/tmp/readerkit-late-\(getpid())"
        let options = SerialOpenOptions(settlingTime: .seconds(30))
        let opening = Task { try await context.open(path, Self.settings, options: options, until: soon).node }
        await SystemMonotonicClock.shared.sleep(until: after(50).instant)
        let link = try TerminalLink(at: path, to: far.node)
        #expect(try await opening.value == far.node)
        link.remove()
        await context.shutdown()
    }

    @Test("what may not be opened is denied, with owner, group, mode and fix")
    func denied() async {
        // Nobody, not even root, may write to this file.
        let error = await refusal("/proc/sys/kernel/ostype")
        #expect(error?.code == .denied)
        #expect(
            error?.underlying
                == "/proc/sys/kernel/ostype may not be opened: owner root, group root, mode 444: install "
                + "udev/60-readerkit.rules, which gives a group access, and plug the device in again")
    }

    @Test("the fix for a port of the group dialout is to join it")
    func dialout() {
        let access = NodeAccess(
            node: "/dev/ttyUSB0", mode: 0o660, owner: "root", group: "dialout", isReadable: false, isWritable: false)
        #expect(
            SerialTrouble.denied(access).fix
                == "`sudo usermod -aG dialout USER` and log in again, or install udev/60-readerkit.rules")
        #expect(
            SerialTrouble.denied(access).message
                == "/dev/ttyUSB0 may not be opened: owner root, group dialout, mode 660")
    }

    @Test("ModemManager as the holder is told with its own fix, a hidden holder as hidden")
    func holders() {
        let modem = SerialTrouble.held(
            node: "/dev/ttyACM0", by: [NodeHolder(processId: 812, name: "ModemManager")])
        #expect(modem.message == "/dev/ttyACM0 is held by ModemManager (process 812)")
        #expect(modem.fix.contains("ID_MM_DEVICE_IGNORE=1"))
        #expect(modem.fix.contains("`sudo systemctl disable --now ModemManager`"))
        let hidden = SerialTrouble.held(node: "/dev/ttyACM0", by: [])
        #expect(hidden.message == "/dev/ttyACM0 is held by a process that does not show to this user")
        #expect(hidden.fix == "find the process with `sudo fuser -v /dev/ttyACM0` and end it")
    }

    @Test("what is no tty is refused", arguments: ["/dev/null", "/dev/zero"])
    func noTerminal(path: String) async {
        let error = await refusal(path)
        #expect(error?.code == .unsupported)
        #expect(error?.underlying?.hasPrefix("\(path) is no serial port: ") == true)
    }

    @Test("an open ends at its deadline and by a cancel")
    func waiting() async {
        let context = SerialContext()
        let late = await failure { try await context.open("/dev/ttyUSB999", Self.settings, until: after(0)) }
        #expect(late?.code == .timedOut)
        let options = SerialOpenOptions(settlingTime: .seconds(20))
        let opening = Task {
            await failure {
                try await context.open("/dev/ttyUSB999", Self.settings, options: options, until: soon)
            }?.code
        }
        await SystemMonotonicClock.shared.sleep(until: after(20).instant)
        opening.cancel()
        #expect(await opening.value == .cancelled)
        await context.shutdown()
    }

    @Test("a lock file of a running process keeps us out, one of an ended process does not")
    func lockFile() async throws {
        var template = Array("/tmp/readerkit-locks.XXXXXX".utf8CString)
        let directory = String(cString: try #require(mkdtemp(&template)))
        let context = SerialContext()
        let far = try context.makeTerminal()
        let name = try #require(far.node.split(separator: "/").last)
        let file = "\(directory)/LCK..\(name)"
        let options = SerialOpenOptions(lockDirectory: directory)

        // Process 1 always runs; 4194304 is above the largest process id of Linux.
        write("         1\n", to: file)
        let error = await failure { try await context.open(far.node, Self.settings, options: options, until: soon) }
        #expect(error?.code == .busy)
        #expect(error?.underlying?.contains("(process 1)") == true)
        write("   4194304\n", to: file)
        await (try context.open(far.node, Self.settings, options: options, until: soon)).close()
        write("no number", to: file)
        await (try context.open(far.node, Self.settings, options: options, until: soon)).close()
        // Nothing was written there.
        #expect(entries(of: directory) == 3)
        await context.shutdown()
        unlink(file)
        rmdir(directory)
    }

    @Test("the process of a lock file is read in both forms")
    func lockForms() {
        #expect(UUCPLock.processId(in: Array("      1234\n".utf8)) == 1234)
        #expect(UUCPLock.processId(in: [0xD2, 0x04, 0, 0]) == 1234)
        for wrong in ["", "0\n", "-5\n", "99999999999999999999\n"] {
            #expect(UUCPLock.processId(in: Array(wrong.utf8)) == nil)
        }
        #expect(UUCPLock.processId(in: [0, 0, 0, 0]) == nil)
        #expect(UUCPLock.processId(in: [0xFF, 0xFF, 0xFF, 0xFF]) == nil)
    }

    @Test("TIOCEXCL of another program is respected by root too, while that program is there")
    func exclusiveMark() async throws {
        let context = SerialContext()
        let far = try context.makeTerminal()
        let other = open(far.node, O_RDWR | O_NOCTTY | O_CLOEXEC)
        #expect(ioctl(other, UInt(TIOCEXCL)) == 0)
        close(other)
        // The mark is still set, for a pseudo terminal keeps it, and nobody is there any more.
        let port = try await context.open(far.node, Self.settings, until: soon)
        await port.close()
        await context.shutdown()
    }

    private func write(_ text: String, to path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let bytes = Array(text.utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
    }
}
