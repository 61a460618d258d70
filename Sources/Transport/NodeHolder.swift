import Glibc

/// A process that has a device node open.
public struct NodeHolder: Sendable, Hashable {
    public var processId: Int32
    /// The command's name, at most 15 bytes, as the kernel keeps it.
    public var name: String

    public init(processId: Int32, name: String) {
        self.processId = processId
        self.name = name
    }

    /// Who has `node` open, by whatever name; this process only with `includingSelf`. Best effort: other users' processes
    /// show only to root, and a hidden /proc shows none. Blocks for as long as reading /proc takes.
    public static func all(of node: String, includingSelf: Bool = false) -> [NodeHolder] {
        let device = deviceNumber(node)
        return names(in: "/proc").compactMap { Int32($0) }.sorted().compactMap { process in
            guard includingSelf || process != getpid() else { return nil }
            let directory = "/proc/\(process)/fd"
            let holds = names(in: directory).contains { name in
                guard let target = NodeName.linkTarget("\(directory)/\(name)"), target.hasPrefix("/") else {
                    return false
                }
                // The number finds the device under other names too; the name what is no device.
                return target == node || (device != nil && deviceNumber("\(directory)/\(name)") == device)
            }
            return holds ? NodeHolder(processId: process, name: name(of: process) ?? "?") : nil
        }
    }

    /// The command's name of a running process; nil when there is none of that number.
    public static func name(of process: Int32) -> String? {
        let descriptor = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Nil of anything but a character device.
    private static func deviceNumber(_ path: String) -> dev_t? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
        return status.st_rdev
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
