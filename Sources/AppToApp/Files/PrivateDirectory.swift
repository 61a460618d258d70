import Glibc

/// A directory (0700) whose files (0600) appear whole or not at all, and stay after a power cut.
struct PrivateDirectory: Sendable {
    let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Makes it, with its parents.
    func make() throws(StorageFailure) {
        var missing: [String] = []
        var current = path
        var status = stat()
        while !current.isEmpty, stat(current, &status) != 0 {
            missing.append(current)
            guard let slash = current.utf8.lastIndex(of: UInt8(ascii: "/")) else { break }
            current = String(current[..<slash])
        }
        for directory in missing.reversed() {
            guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
                throw StorageFailure("The directory '\(directory)' cannot be made", errno)
            }
        }
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else { throw StorageFailure("'\(path)' is not a directory that only its owner can write") }
    }

    /// Writes a file under a temporary name, gives it to the disk, and then its name.
    func write(_ bytes: [UInt8], as name: String) throws(StorageFailure) {
        close(try write(bytes, as: name, locked: false))
    }

    /// - Parameter locked: before it has its name, so that nobody else can take it first.
    /// - Returns: the open descriptor, with which a lock ends.
    func write(_ bytes: [UInt8], as name: String, locked: Bool) throws(StorageFailure) -> Int32 {
        let target = path + "/" + name
        let temporary = path + "/.new-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StorageFailure("A file in '\(path)' cannot be made", errno) }
        if let number = fill(descriptor, bytes, locked) ?? (Glibc.rename(temporary, target) == 0 ? nil : errno) {
            unlink(temporary)
            close(descriptor)
            throw StorageFailure("The file '\(target)' cannot be written", number)
        }
        synchronise()
        return descriptor
    }

    /// Nil when the bytes are on disk, else the errno.
    private func fill(_ descriptor: Int32, _ bytes: [UInt8], _ locked: Bool) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else { return errno }
        if locked, flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return errno }
        return nil
    }

    func rename(_ old: String, to new: String) throws(StorageFailure) {
        guard Glibc.rename(path + "/" + old, path + "/" + new) == 0 else {
            throw StorageFailure("The file '\(path)/\(new)' cannot be written", errno)
        }
        synchronise()
    }

    func remove(_ name: String) throws(StorageFailure) {
        guard unlink(path + "/" + name) == 0 || errno == ENOENT else {
            throw StorageFailure("The file '\(path)/\(name)' cannot be removed", errno)
        }
        synchronise()
    }

    /// Empty when there is no such directory.
    func names() throws(StorageFailure) -> [String] {
        guard let stream = opendir(path) else {
            guard errno == ENOENT else { throw StorageFailure("The directory '\(path)' cannot be read", errno) }
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// Nil when it is not there, not a plain file, or larger than that.
    func read(_ name: String, atMost limit: Int) -> [UInt8]? {
        let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return FileContent.read(descriptor, atMost: limit)
    }

    /// The descriptor of a file that nobody else has locked; nil when somebody has, or there is none.
    func lock(_ name: String) -> Int32? {
        let target = path + "/" + name
        let descriptor = open(target, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var (held, named) = (stat(), stat())
        // Whoever had it locked may have removed or replaced it meanwhile.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &held) == 0, stat(target, &named) == 0,
            held.st_ino == named.st_ino
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// A name is durable when its directory is. A file system that cannot do this offers nothing better.
    private func synchronise() {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
