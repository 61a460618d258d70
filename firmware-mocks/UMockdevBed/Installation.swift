import Glibc

/// The installed umockdev: its preload library, of a version whose private socket protocol is known.
public struct UMockdevInstallation: Sendable, Hashable {
    /// The library's name as LD_PRELOAD takes it.
    public static let libraryName = "libumockdev-preload.so.0"
    /// Where the library was found.
    public var libraryPath: String
    /// For example `0.17.16`.
    public var version: String

    /// Looks for the library and asks `umockdev-run` for the version.
    ///
    /// - Throws: `MockBusError.missingPrerequisite` with the reason.
    public static func find() throws(MockBusError) -> UMockdevInstallation {
        guard let path = libraryDirectories.map({ $0 + "/" + libraryName }).first(where: { access($0, R_OK) == 0 })
        else {
            throw .missingPrerequisite("\(libraryName) not found")
        }
        guard let output = CommandOutput.firstLine(of: "umockdev-run", arguments: ["--version"]) else {
            throw .missingPrerequisite("umockdev-run not found, so the version of \(libraryName) cannot be checked")
        }
        guard isKnown(version: output) else {
            throw .missingPrerequisite(
                "umockdev \(output) is not known to this program (0.16 to 0.19 are): its socket protocol may differ")
        }
        return UMockdevInstallation(libraryPath: path, version: output)
    }

    /// The socket protocol is private to umockdev; it is the same from 0.16.0 to 0.19.x.
    static func isKnown(version: String) -> Bool {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count >= 2, parts.allSatisfy({ $0 != nil }), parts[0] == 0, let minor = parts[1] else {
            return false
        }
        return (16...19).contains(minor)
    }

    private static var libraryDirectories: [String] {
        let own = getenv("LD_LIBRARY_PATH").map { String(cString: $0) } ?? ""
        #if arch(arm64)
            let triple = "aarch64-linux-gnu"
        #else
            let triple = "x86_64-linux-gnu"
        #endif
        return own.split(separator: ":").map(String.init)
            + [
                "/usr/local/lib/\(triple)", "/usr/local/lib", "/lib/\(triple)", "/usr/lib/\(triple)", "/lib64",
                "/usr/lib64", "/lib", "/usr/lib",
            ]
    }
}
