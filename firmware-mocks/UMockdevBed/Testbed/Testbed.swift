import Glibc

/// The directory that the client's preload shows in the place of `/sys`, `/dev` and `/run/udev`.
struct Testbed: Sendable {
    /// Absolute path.
    let root: String

    /// The longest path of a socket in the testbed, which must fit into a `sockaddr_un`.
    private static let longestSocketName = "/ioctl/dev/bus/usb/001/127"

    /// A fresh directory: a temporary one, or `path`, which must be absent or empty.
    init(at path: String?) throws(MockBusError) {
        if let path {
            if mkdir(path, 0o700) != 0, errno != EEXIST { throw .current("cannot make \(path)") }
            guard let absolute = realpath(path, nil) else { throw .current("cannot use \(path)") }
            defer { free(absolute) }
            root = String(cString: absolute)
            guard Self.names(in: root).isEmpty else { throw .refused("\(path) is not empty") }
        } else {
            let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
            guard let template = strdup(parent + "/fwmockd.XXXXXX") else { throw .current("out of memory") }
            defer { free(template) }
            guard mkdtemp(template) != nil else { throw .current("cannot make a directory in \(parent)") }
            root = String(cString: template)
        }
        guard (root + Self.longestSocketName).utf8.count < SocketAddress.maximumPathLength else {
            rmdir(root)
            throw .refused("\(root) is too long a path for the sockets in it")
        }
    }

    func makeDirectory(_ path: String) throws(MockBusError) {
        var made = root
        for component in path.split(separator: "/") {
            made += "/" + component
            if mkdir(made, 0o755) != 0, errno != EEXIST { throw .current("cannot make \(made)") }
        }
    }

    func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws(MockBusError) {
        let descriptor = open(root + "/" + path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .current("cannot write \(path)") }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .current("cannot write \(path)") }
            written += count
        }
    }

    /// An attribute file of sysfs: the text and a newline.
    func write(_ text: String, to path: String) throws(MockBusError) {
        try write(Array((text + "\n").utf8), to: path)
    }

    func link(_ path: String, to target: String) throws(MockBusError) {
        guard symlink(target, root + "/" + path) == 0 else { throw .current("cannot link \(path)") }
    }

    func isLink(_ path: String) -> Bool {
        var byte: CChar = 0
        return readlink(root + "/" + path, &byte, 1) > 0
    }

    /// Puts a link in the place of whatever is at `path`, in one step.
    func replace(_ path: String, withLinkTo target: String) throws(MockBusError) {
        try link(path + ".new", to: target)
        guard rename(root + "/" + path + ".new", root + "/" + path) == 0 else { throw .current("cannot link \(path)") }
    }

    /// Removes a file, a link or a directory with everything in it; nothing happens when it is absent.
    func remove(_ path: String) {
        Self.removeTree(root + "/" + path, depth: 0)
    }

    func removeEverything() {
        Self.removeTree(root, depth: 0)
    }

    /// Sends an event to every monitor that the client has opened.
    func broadcast(_ event: Uevent) {
        let listeners = Self.names(in: root).filter { $0.hasPrefix("event") }
        guard !listeners.isEmpty else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let datagram = event.datagram
        for name in listeners {
            // A monitor that has just been closed, or that does not read, is not the mock's trouble.
            SocketAddress(path: root + "/" + name).withPointer { address, length in
                _ = sendto(
                    descriptor, datagram, datagram.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL), address,
                    length)
            }
        }
    }

    static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func removeTree(_ path: String, depth: Int) {
        if unlink(path) == 0 || errno == ENOENT { return }
        guard depth < 16 else { return }
        for name in names(in: path) {
            removeTree(path + "/" + name, depth: depth + 1)
        }
        rmdir(path)
    }
}
