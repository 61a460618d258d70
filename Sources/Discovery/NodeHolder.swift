internal import Glibc

/// A process that has a device node open.
public struct NodeHolder: Sendable, Hashable {
    public var processId: Int32
    /// The command's name, at most 15 bytes, as the kernel keeps it.
    public var name: String

    public init(processId: Int32, name: String) {
        self.processId = processId
        self.name = name
    }

    /// Who has `node` open, this process left out. Best effort: other users' processes show only to root, and a hidden
    /// /proc shows none. Blocks for as long as reading /proc takes.
    public static func all(of node: String) -> [NodeHolder] {
        names(in: "/proc").compactMap { Int32($0) }.sorted().compactMap { process in
            guard process != getpid() else { return nil }
            let directory = "/proc/\(process)/fd"
            guard names(in: directory).contains(where: { SysfsFile.linkTarget("\(directory)/\($0)") == node }) else {
                return nil
            }
            let comm = SysfsFile.bytes("/proc/\(process)/comm", atMost: 64) ?? []
            return NodeHolder(
                processId: process,
                name: String(decoding: comm.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        }
    }

    private static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // d_name is imported as a tuple of the declared 256 bytes; an entry may be shorter than that, so it is read
            // where it lies.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            names.append(String(cString: start))
        }
        return names
    }
}
