import Foundation
import Glibc

/// What the tests need beside the products, and where the products are. A test whose need is not met is skipped with the
/// reason, in sight.
enum Prerequisites {
    /// Where the executables are built: beside the test bundle.
    static let products: String = {
        let arguments = CommandLine.arguments
        let bundle =
            arguments.firstIndex(of: "--test-bundle-path").map { arguments[arguments.index(after: $0)] } ?? arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().path
    }()

    /// The top of the checkout.
    static let checkout: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.path
    }()

    /// `READERKIT_SHIPPED`, a directory, puts a program as it is installed in the place of the one that was built for the
    /// tests: what holds for the one need not hold for a binary that has the Swift libraries linked in.
    static func product(_ name: String) -> String {
        let shipped = ProcessInfo.processInfo.environment["READERKIT_SHIPPED"].map { "\($0)/\(name)" }
        if let shipped, FileManager.default.isExecutableFile(atPath: shipped) { return shipped }
        return products + "/" + name
    }

    /// Why a test cannot run here; nil when it can.
    static let rungTwo = missing(files: preloadPlaces, named: "libumockdev-preload.so.0")
    static let faketime = missing(tool: "faketime")
    static let python = missing(tool: "python3")
    static let faketimeOnRungTwo = rungTwo ?? faketime
    static let judge =
        rungTwo ?? missing(tool: "pcscd") ?? missing(tool: "opensc-tool") ?? missing(tool: "nsenter")
        ?? missing(files: ["/usr/lib/pcsc/drivers/ifd-ccid.bundle/Contents/Info.plist"], named: "libccid") ?? mountSpace
    static let hostInDress = missing(tool: "openssl") ?? faketime
    static let readOnlyMount = mountSpace

    static func path(of tool: String) -> String? {
        ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"].map { "\($0)/\(tool)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static func missing(tool: String) -> String? {
        path(of: tool) == nil ? "skipped: \(tool) not found" : nil
    }

    private static func missing(files: [String], named name: String) -> String? {
        files.contains { FileManager.default.fileExists(atPath: $0) } ? nil : "skipped: \(name) not found"
    }

    /// Whether programs can be run without the rights of root: a checkout in root's own home cannot be entered by others.
    static let nobody: String? = {
        guard geteuid() == 0 else { return nil }
        if let missing = missing(tool: "setpriv") { return missing }
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: path(of: "setpriv") ?? "")
        probe.arguments = [
            "--reuid=65534", "--regid=65534", "--clear-groups", "--", product("readerctl"), "--version",
        ]
        probe.standardOutput = FileHandle.nullDevice
        probe.standardError = FileHandle.nullDevice
        do {
            try probe.run()
        } catch {
            return "skipped: setpriv cannot be started"
        }
        probe.waitUntilExit()
        return probe.terminationStatus == 0 ? nil : "skipped: nobody may not run \(product("readerctl"))"
    }()

    private static let preloadPlaces = [
        "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib", "/usr/lib64",
    ].map { $0 + "/libumockdev-preload.so.0" }

    /// Mounting in a namespace of one's own takes root.
    private static let mountSpace: String? = {
        guard let unshare = path(of: "unshare") else { return "skipped: unshare not found" }
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: unshare)
        probe.arguments = ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        probe.standardError = FileHandle.nullDevice
        do {
            try probe.run()
        } catch {
            return "skipped: unshare cannot be started"
        }
        probe.waitUntilExit()
        return probe.terminationStatus == 0 ? nil : "skipped: a mount namespace (unshare -m) is not allowed here"
    }()
}

extension Prerequisites {
    /// The Python of the judges (scripts/judges.sh).
    static let judgesPython = checkout + "/.build/judges/bin/python"

    static let pyserial: String? = {
        let wanted = FileManager.default.contents(atPath: checkout + "/Tests/Judges/requirements.txt")
        let installed = FileManager.default.contents(atPath: checkout + "/.build/judges/requirements.txt")
        return installed != nil && installed == wanted
            ? nil : "skipped: the judges are not installed or out of date; scripts/judges.sh installs them"
    }()
    static let socat = missing(tool: "socat")
}
