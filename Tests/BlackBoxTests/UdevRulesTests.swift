import Foundation
import Testing

/// The committed rules and hardware database, judged by udev's own tools: `udevadm test` applies them to a device of the
/// mock bus, in a mount namespace in which they are the only ones.
@Suite(.blackBox, .enabled(if: Prerequisites.udevTest == nil, "\(Prerequisites.udevTest ?? "")"))
struct UdevRulesTests {
    private static let readers = "60-readerkit.rules"
    private static let chips = "61-readerkit-usb-serial.rules"

    /// What udev makes of a device.
    private struct Verdict {
        let lines: [String]

        /// Properties and, as GROUP and MODE, the rights of the node. The group readerkit is number 4242 here.
        func value(_ name: String) -> String? {
            if let line = lines.last(where: { $0.hasPrefix(name + "=") }) {
                return String(line.dropFirst(name.count + 1))
            }
            guard let line = lines.last(where: { $0.contains(".rules:") && $0.contains(" \(name) ") }) else {
                return nil
            }
            return line.split(separator: " ").last.map(String.init)
        }

        /// What udev says against our files.
        var complaints: [String] {
            lines.filter { line in
                line.contains("readerkit")
                    && ["nvalid", "gnoring", "nknown", "xpected", "ailed"].contains(where: line.contains)
            }
        }
    }

    private static func text(_ file: String) throws -> String {
        try String(contentsOfFile: Prerequisites.checkout + "/udev/" + file, encoding: .utf8)
    }

    /// - Parameters:
    ///   - chips: the text of the rules for chips.
    ///   - below: the part of the device's path behind it, for example of its tty.
    private func judge(_ device: String, chips: String? = nil, below: String = "") async throws -> Verdict {
        let bench = try Workbench.mine()
        let rules = bench.path("rules.d")
        try FileManager.default.createDirectory(atPath: rules, withIntermediateDirectories: true)
        // What Debian's own rules do before ours.
        let before = #"SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", IMPORT{builtin}="usb_id""#
        for (name, text) in [
            ("50-before.rules", before + "\n"), (Self.readers, try Self.text(Self.readers)),
            (Self.chips, try chips ?? Self.text(Self.chips)),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: rules + "/" + name))
        }
        let groups = try String(contentsOfFile: "/etc/group", encoding: .utf8)
            .split(separator: "\n").filter { !$0.hasPrefix("readerkit:") }
        try Data((groups.joined(separator: "\n") + "\nreaderkit:x:4242:\n").utf8)
            .write(to: URL(fileURLWithPath: bench.path("group")))
        // Nothing outlives the namespace: not the rules, not the group, not what udevadm writes to /dev and /run.
        let script = """
            set -e
            mkdir -p /etc/udev/rules.d
            mount --bind \(rules) /etc/udev/rules.d
            for place in /usr/lib/udev/rules.d /run /dev; do mount -t tmpfs tmpfs $place; done
            mount --bind \(bench.path("group")) /etc/group
            exec "$@"
            """
        let bus = try await MockReader(device)
        let path = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1" + below
        var judged = bus.seen(by: Program("/usr/bin/env", ["udevadm", "test", "--action=add", path]))
        // The preload is for udevadm alone: /dev is mounted before.
        let variables = bus.environment.compactMap { name, value in value.map { "\(name)=\($0)" } }
        judged = Program(
            "/usr/bin/env",
            ["unshare", "-m", "sh", "-c", script, "sh", "env"] + variables
                + ["udevadm", "test", "--action=add", path])
        let ended = try await run(judged)
        #expect(ended.status == 0, "\(ended)")
        await bus.close()
        let verdict = Verdict(
            lines: (ended.output + "\n" + ended.errors).split(separator: "\n").map(String.init))
        #expect(verdict.complaints.isEmpty)
        return verdict
    }

    @Test(
        "readers are given to the group, and ModemManager is kept away",
        arguments: [("ccid:card=none", "ccid"), ("neo2", "neo2"), ("mpi", "mpi")])
    func readers(device: String, family: String) async throws {
        let verdict = try await judge(device)
        #expect(verdict.value("READERKIT_READER") == family)
        #expect(verdict.value("GROUP") == "4242" && verdict.value("MODE") == "0660")
        #expect(verdict.value("ID_MM_DEVICE_IGNORE") == "1" && verdict.value("TAGS") == ":uaccess:")
    }

    @Test("a chip that nobody has asked for is left as it is", arguments: ["cp210x", "ftdi", "ch34x", "pl2303"])
    func untouched(chip: String) async throws {
        let verdict = try await judge(chip)
        #expect(verdict.value("READERKIT_CHIP") == nil && verdict.value("READERKIT_READER") == nil)
        #expect(verdict.value("GROUP") == nil && verdict.value("MODE") == nil)
        #expect(verdict.value("ID_MM_DEVICE_IGNORE") == nil)
    }

    private static func asking(for ids: String) throws -> String {
        let (vendor, product) = (ids.prefix(4), ids.suffix(4))
        let line = #"ATTRS{idVendor}=="\#(vendor)", ATTRS{idProduct}=="\#(product)""#
        return try text(chips).replacing("#" + line, with: line)
    }

    @Test(
        "a line without its '#' gives that chip to the group, and no other",
        arguments: [("cp210x", "10c4:ea60"), ("ftdi", "0403:6001"), ("ch34x", "1a86:7523"), ("pl2303", "067b:2303")])
    func asked(chip: String, ids: String) async throws {
        let rules = try Self.asking(for: ids)
        let verdict = try await judge(chip, chips: rules)
        #expect(verdict.value("READERKIT_CHIP") == "1")
        #expect(verdict.value("GROUP") == "4242" && verdict.value("MODE") == "0660")
        #expect(verdict.value("ID_MM_DEVICE_IGNORE") == "1" && verdict.value("TAGS") == ":uaccess:")
        let other = try await judge(chip == "ftdi" ? "cp210x" : "ftdi", chips: rules)
        #expect(other.value("READERKIT_CHIP") == nil && other.value("GROUP") == nil)
    }

    @Test("its tty goes with it, and ModemManager is kept away from that, too")
    func tty() async throws {
        let device = "cp210x:tty=ttyUSB0@/dev/null@cp210x"
        let verdict = try await judge(
            device, chips: try Self.asking(for: "10c4:ea60"), below: "/1-1:1.0/tty/ttyUSB0")
        #expect(verdict.value("READERKIT_CHIP") == "1" && verdict.value("GROUP") == "4242")
        #expect(verdict.value("ID_MM_PORT_IGNORE") == "1")
    }

    @Test("the hardware database is taken without a complaint, and knows each device by its ids")
    func database() async throws {
        let root = try Workbench.mine().path("root")
        try FileManager.default.createDirectory(atPath: root + "/etc/udev/hwdb.d", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Prerequisites.checkout + "/udev/60-readerkit.hwdb",
            toPath: root + "/etc/udev/hwdb.d/60-readerkit.hwdb")
        func tool(_ arguments: String...) async throws -> Ended {
            try await run(Program("/usr/bin/env", ["systemd-hwdb", "--root=" + root] + arguments))
        }
        // It ends with 0 even after a complaint.
        let made = try await tool("--strict", "update")
        #expect(made.status == 0 && made.errors == "" && made.output == "", "\(made)")
        let reader = try await tool("query", "usb:v0ACDp3530d0100dc00dsc00dp00ic03isc00ip00in00")
        #expect(reader.output == "READERKIT_FAMILY=neo2\nREADERKIT_MODEL=ID TECH VP3300\n")
        let chip = try await tool("query", "usb:v0403p6001d0600dc00dsc00dp00icFFiscFFipFFin00")
        #expect(chip.output == "READERKIT_SERIAL_CHIP=FTDI FT232R\n")
        #expect(try await tool("query", "usb:v0403p6002d0600dc00dsc00dp00icFFiscFFipFFin00").output == "")
    }

    @Test(
        "udevadm verify finds nothing",
        .enabled(if: Prerequisites.udevVerify == nil, "\(Prerequisites.udevVerify ?? "")"))
    func verified() async throws {
        let asked = try Workbench.mine().path("61-asked.rules")
        try Data(try Self.text(Self.chips).replacing("#ATTRS", with: "ATTRS").utf8).write(
            to: URL(fileURLWithPath: asked))
        let files = [Self.readers, Self.chips].map { Prerequisites.checkout + "/udev/" + $0 } + [asked]
        let ended = try await run(Program("/usr/bin/env", ["udevadm", "verify", "--resolve-names=never"] + files))
        #expect(ended.status == 0, "\(ended)")
    }
}

extension Prerequisites {
    static let udevTest =
        rungTwo ?? missing(tool: "udevadm") ?? missing(tool: "systemd-hwdb") ?? missing(tool: "unshare")
        ?? readOnlyMount

    static let udevVerify: String? = {
        if let missing = missing(tool: "udevadm") { return missing }
        guard let path = path(of: "udevadm") else { return "skipped: udevadm not found" }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--version"]
        process.standardOutput = output
        guard (try? process.run()) != nil else { return "skipped: udevadm cannot be started" }
        let version = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let number = Int(version.prefix { $0.isNumber }) ?? 0
        return number < 254 ? "skipped: udevadm \(number) has no 'verify', which came with 254" : nil
    }()
}
