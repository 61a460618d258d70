import Foundation
import Glibc
import Testing

/// What can stand in a reader's way: each is told from the others, with its own fix, as JSON and as text.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct ProbeProblemTests {
    /// A configuration that names the port as one with a QPOS reader.
    private func configuration(_ node: String) throws -> String {
        let file = try Workbench.mine().path("readers.json")
        let text = #"{"readers":{"ttys":[{"path":"\#(node)","family":"qpos","baud":115200}]}}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    private func found(_ bus: MockReader, _ more: String...) async throws -> ProbedReader {
        try await ProbedReader.found { try await run(bus.seen(by: readerctl($0 + more))) }
    }

    private static let keepsModemManagerAway =
        "Install udev/60-readerkit.rules, or set ID_MM_DEVICE_IGNORE=1 for this device in a udev rule, and plug it in "
        + "again; or 'sudo systemctl stop ModemManager'."

    @Test("a reader that answers at no speed is silent: power and cable")
    func silentOnLine() async throws {
        let bus = try await MockReader("reference:plugged=no")
        let reader = try PtyReader("none")
        let found = try await found(bus, "--config", try configuration(reader.node))
        #expect(found.status == 4 && found.state == "fault")
        #expect(
            found.problems == [
                .init(
                    code: "silent", message: "The reader on \(reader.node) does not answer, at no usual speed.",
                    fix: "Check the reader's power and cable; plug it out and in again.")
            ])
        await reader.close()
        await bus.close()
    }

    @Test("a reader on USB that does not answer is silent: plug it out and in")
    func silentOnUSB() async throws {
        let bus = try await MockReader("ccid")
        for command in 1...6 { try await bus.steer("1-1 fault \(command) silent") }
        let found = try await found(bus)
        #expect(found.status == 4 && found.state == "fault" && found.problems.map(\.code) == ["silent"])
        #expect(found.problems.first?.message.hasPrefix("The card reader does not answer.") == true)
        #expect(
            found.problems.first?.fix
                == "Plug the reader out and in again; if it stays silent, run 'readerctl probe'.")
        await bus.close()
    }

    @Test("a port that another program has is busy, with its name and process; nothing is written")
    func held() async throws {
        let bus = try await MockReader("reference:plugged=no")
        let reader = try PtyReader("qpos")
        var program = Program(Prerequisites.product("linecheck"), ["hold", reader.node])
        program.inputFile = nil
        let holder = try Workbench.mine().start(program)
        #expect(await holder.line() != nil)
        let found = try await found(bus, "--config", try configuration(reader.node))
        #expect(found.status == 4 && found.state == "busy")
        let name = "linecheck (process \(holder.processId))"
        #expect(found.text("heldBy") == name)
        #expect(
            found.problems == [
                .init(
                    code: "held", message: "The reader is held by \(name).",
                    fix: "Wait until a running payment has ended, or stop the program that holds the reader.")
            ])
        #expect(reader.written == 0)
        holder.closeInput()
        _ = await holder.end()
        await reader.close()
        await bus.close()
    }

    @Test(
        "ModemManager, which takes a port as it does (TIOCEXCL, no lock), has a fix of its own",
        .enabled(if: Prerequisites.python == nil, "\(Prerequisites.python ?? "")"))
    func heldByModemManager() async throws {
        let bus = try await MockReader("reference:plugged=no")
        let reader = try PtyReader("qpos")
        // The kernel keeps the name by which a program was started.
        let manager = try Workbench.mine().path("ModemManager")
        try FileManager.default.createSymbolicLink(
            atPath: manager, withDestinationPath: try #require(Prerequisites.path(of: "python3")))
        var program = Program(
            manager,
            [
                "-c",
                "import fcntl, os, sys, termios; port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY); "
                    + "fcntl.ioctl(port, termios.TIOCEXCL); print('open', flush=True); sys.stdin.read()",
                reader.node,
            ])
        program.inputFile = nil
        let holder = try Workbench.mine().start(program)
        #expect(await holder.line() == "open")
        let found = try await found(bus, "--config", try configuration(reader.node))
        #expect(found.status == 4 && found.state == "busy")
        let name = "ModemManager (process \(holder.processId))"
        #expect(found.text("heldBy") == name)
        #expect(
            found.problems == [
                .init(
                    code: "modemManager", message: "The reader is held by \(name).", fix: Self.keepsModemManagerAway)
            ])
        #expect(reader.written == 0)
        holder.closeInput()
        _ = await holder.end()
        await reader.close()
        await bus.close()
    }

    @Test("a port that ModemManager may take is a reader that works, with a warning")
    func modemManagerMayCome() async throws {
        let reader = try PtyReader("mpi")
        let bus = try await MockReader("mpi:tty=ttyACM0@\(reader.node)@cdc_acm,property=ID_MM_CANDIDATE=1")
        let found = try await found(bus)
        #expect(found.status == 0 && found.state == "ready")
        #expect(
            found.problems == [
                .init(
                    code: "modemManager",
                    message: "ModemManager may take the port and ask it whether it is a modem.",
                    fix: Self.keepsModemManagerAway)
            ])
        await bus.close()
        await reader.close()
    }

    @Test("a driver of the kernel that does not give the reader up is named, with the way to take it away")
    func kernelDriver() async throws {
        let bus = try await MockReader("ccid:driver=cdc_acm,tty=ttyACM0@/dev/null@cdc_acm")
        try await bus.steer("1-1 errno claim EBUSY")
        let found = try await found(bus)
        #expect(found.status == 4 && found.state == "busy" && found.text("heldBy") == "kernel driver cdc_acm")
        #expect(
            found.problems == [
                .init(
                    code: "kernelDriver", message: "The reader is held by kernel driver cdc_acm.",
                    fix: "Name the driver's serial port in readers.ttys of the configuration, or take the driver away: "
                        + "'sudo modprobe -r cdc_acm'.")
            ])
        await bus.close()
    }

    @Test("a node on the bus that may not be opened is denied: the rules and the group")
    func deniedOnUSB() async throws {
        let bus = try await MockReader("ccid:access-denied=3600000")
        let found = try await found(bus)
        #expect(found.status == 4 && found.state == "denied" && found.problems.map(\.code) == ["accessDenied"])
        #expect(
            found.problems.first?.message.hasPrefix(
                "Access to /dev/bus/usb/001/002 is denied: it belongs to root:root, mode ") == true)
        #expect(
            found.problems.first?.fix
                == "Run 'sudo groupadd --system --force readerkit', install udev/60-readerkit.rules in "
                + "/etc/udev/rules.d, run 'sudo udevadm control --reload && sudo udevadm trigger', then 'sudo usermod "
                + "-aG readerkit $USER' and log in again.")
        await bus.close()
    }

    /// Really refused, by the kernel: root, who may open everything, asks as nobody.
    @Test(
        "a port that may not be opened is denied, with owner, group, mode and the fix for them",
        .enabled(if: Prerequisites.nobody == nil, "\(Prerequisites.nobody ?? "")"))
    func deniedOnLine() async throws {
        let reader = try PtyReader("qpos")
        let isRoot = geteuid() == 0
        if isRoot { #expect(chown(reader.node, 0, try #require(getgrnam("dialout")).pointee.gr_gid) == 0) }
        #expect(chmod(reader.node, isRoot ? 0o660 : 0) == 0)
        let file = try configuration(reader.node)
        let found = try await ProbedReader.found(at: reader.node) {
            try await run(readerctl($0 + ["--config", file]).asNobody())
        }
        #expect(found.status == 4 && found.state == "denied" && found.problems.map(\.code) == ["accessDenied"])
        if isRoot {
            #expect(
                found.problems.first
                    == .init(
                        code: "accessDenied",
                        message: "Access to \(reader.node) is denied: it belongs to root:dialout, mode 660.",
                        fix: "Run 'sudo usermod -aG dialout $USER' and log in again, or install "
                            + "udev/60-readerkit.rules in /etc/udev/rules.d and plug the device in again."))
        } else {
            #expect(
                found.problems.first?.message.hasPrefix("Access to \(reader.node) is denied: it belongs to ") == true)
            #expect(found.problems.first?.fix.contains("udev/60-readerkit.rules") == true)
        }
        #expect(reader.written == 0)
        await reader.close()
    }

    @Test(
        "a sale at a reader that may not be opened is refused, and nothing is promised",
        .enabled(if: Prerequisites.nobody == nil, "\(Prerequisites.nobody ?? "")"))
    func saleDenied() async throws {
        let bench = try Workbench.mine()
        let reader = try PtyReader("qpos")
        #expect(chmod(reader.node, 0) == 0)
        // A ledger of nobody's own.
        let data = bench.path("nobody")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        if geteuid() == 0 { #expect(chown(data, 65_534, 65_534) == 0) }
        #expect(chmod(data, 0o700) == 0)
        let arguments = [
            "sale", "--amount", "1.00", "--json", "--data", data, "--config", try configuration(reader.node),
            "--reader", "tty:" + reader.node,
        ]
        let sale = try await run(readerctl(arguments).asNobody())
        #expect(sale.status == 4, "\(sale)")
        #expect(try sale.text("outcome") == "failed" && sale.text("transactionid") == "")
        #expect(sale.errors.hasPrefix("Access to the card reader is denied."))
        let listed = try await run("transactions", "--json", "--data", data)
        #expect(try listed.list("transactions").isEmpty)
        await reader.close()
    }
}
