import Glibc
internal import Transport

/// The lock files of older serial programs: `LCK..ttyUSB0` with a process id in it (FHS 5.9). They are respected, never
/// written: flock(2) ends with its process, a file does not.
struct UUCPLock {
    /// "/run/lock" on Debian.
    let directory: String

    /// Who says to have `node` (without links in its name); nil when nobody does, or only a process that has ended.
    func holder(of node: String) -> NodeHolder? {
        guard let name = node.split(separator: "/").last,
            let process = Self.processId(in: contents(of: directory + "/LCK..\(name)")), process != getpid(),
            kill(process, 0) == 0 || errno == EPERM
        else { return nil }
        return NodeHolder(processId: process, name: NodeHolder.name(of: process) ?? "?")
    }

    /// As text (ten characters and a line end), or as the four bytes that some programs write.
    static func processId(in bytes: [UInt8]) -> Int32? {
        let text = String(decoding: bytes.filter { $0 != 0x20 && $0 != 0x0A }, as: UTF8.self)
        if let process = Int32(text) { return process > 0 ? process : nil }
        guard bytes.count == 4 else { return nil }
        let process = bytes.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
        return process > 0 ? process : nil
    }

    private func contents(of path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}
