import Glibc
import Testing

@testable import Payments

/// The names in a directory.
func files(in directory: String) throws -> [String] {
    let entries = try #require(opendir(directory))
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

/// Who runs, and who works on what.
@Suite struct LockFileTests {
    private let directory: PaymentDirectory

    init() throws {
        directory = try PaymentDirectory()
    }

    @Test("one has the lock; when it is given back the file is gone, and the next can have it")
    func exclusive() throws {
        let path = directory.path + "/lock"
        guard case .taken(let lock) = LockFile.take(path) else { throw Unexpected() }
        guard case .held = LockFile.take(path) else { throw Unexpected() }
        #expect(LockFile.isHeld(path))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        lock.release()
        lock.release()
        #expect(!LockFile.isHeld(path))
        #expect(access(path, F_OK) != 0)
        guard case .taken = LockFile.take(path) else { throw Unexpected() }
    }

    @Test("asking does not disturb")
    func asking() throws {
        let path = directory.path + "/lock"
        #expect(mknod(path, S_IFREG | 0o600, 0) == 0)
        let first = open(path, O_RDONLY)
        #expect(flock(first, LOCK_SH | LOCK_NB) == 0)
        #expect(!LockFile.isHeld(path), "somebody else who asks is no holder")
        close(first)
    }

    @Test("a link is not followed")
    func link() throws {
        let path = directory.path + "/lock"
        #expect(symlink("/tmp/elsewhere", path) == 0)
        guard case .failed = LockFile.take(path) else { throw Unexpected() }
    }

    @Test("an owner runs until it ends; the next one removes what an ended program left behind")
    func owners() throws {
        let first = try RunningOwner.begin(in: directory.path)
        let running = RunningDirectory(dataDirectory: directory.path)
        #expect(running.isRunning(first.id))
        #expect(mknod(running.path + "/abandoned", S_IFREG | 0o600, 0) == 0)
        let second = try RunningOwner.begin(in: directory.path)
        #expect(first.id != second.id)
        #expect(try files(in: running.path) == [first.id, second.id].sorted())
        first.end()
        #expect(!running.isRunning(first.id) && running.isRunning(second.id))
        var status = stat()
        #expect(stat(running.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        second.end()
    }

    @Test("whatever an id is made of, its file stays in the directory", arguments: ["../escape", "", "a/b", "ñ", "\n"])
    func names(id: String) throws {
        let running = RunningDirectory(dataDirectory: directory.path)
        try running.make()
        let name = running.file(of: id).dropFirst(running.path.utf8.count + 1)
        #expect(!name.isEmpty && !name.contains("/") && !name.hasPrefix("."))
        #expect(running.work(on: id) != nil)
    }

    @Test("a directory that cannot be made is told in a sentence")
    func unusable() {
        #expect(throws: RunningOwnerError.self) { try RunningOwner.begin(in: directory.path + "/missing") }
    }

    private struct Unexpected: Error {}
}
